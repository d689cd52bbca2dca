-- The reply is one text, which costs less to send and to read than a list: numbers one after another, in
-- base 44 with the lowest digit first, the last digit '%'..'P' and those before it 'Q'..'|'. What is out of
-- the ordinary is marked by a character that is no digit, as reply-cursor.ts says.
local char = string.char
local out, size = {}, 0

local function emit(number)
  size = size + 1
  if number >= 0 and number < 44 then
    out[size] = char(37 + number)
    return
  end
  -- A log that somebody else wrote into may hold anything; nothing may break the reply.
  if not (number >= 0 and number <= 9007199254740992) then number = 0 end
  local rest = math.floor(number / 44)
  if rest < 44 then
    out[size] = char(81 + number - rest * 44, 37 + rest)
    return
  end
  out[size] = char(81 + number - rest * 44)
  return emit(rest)
end

local function emit_mark(mark)
  size = size + 1
  out[size] = mark
end

local function emit_failure(text)
  text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
  emit_mark('!')
  emit(#text)
  emit_mark(text)
end

local function reply()
  return table.concat(out)
end
