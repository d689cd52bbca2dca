-- Twin of algorithms/multiply-divide.ts, as far as decisions need it: same names, same order.

-- floor(a * b / c), exact although a * b may pass 2^53.
local function multiply_divide(a, b, c)
  local product = a * b
  if product < 9007199254740992 then return floor(product / c) end
  local quotient, remainder, unit = 0, 0, 17592186044416
  while unit >= 1 do
    local digit = floor(a / unit) % 2048
    local dividend = remainder * 2048 + digit * b
    local quotient_digit = floor(dividend / c)
    quotient = quotient * 2048 + quotient_digit
    remainder = dividend - quotient_digit * c
    unit = unit / 2048
  end
  return quotient
end
