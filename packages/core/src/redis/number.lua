-- Numbers are spelt in base 44 with the lowest digit first, the last digit '%'..'P' and those before it
-- 'Q'..'|'. The reply is one text of them, which costs less to send and to read than a list of integers.
while number >= 44 do
  local digit = number % 44
  size = size + 1
  out[size] = 81 + digit
  number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
