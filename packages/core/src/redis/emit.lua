-- Adds to the reply: a number, a mark (a byte that is no digit, as reply-cursor.ts says), a failure.
local function emit(number)
  -- A log that somebody else wrote into may hold anything; nothing may break the reply.
  if not (number >= 0 and number <= 9007199254740992) then number = 0 end
  -- @include number.lua
end

local function emit_mark(mark)
  size = size + 1
  out[size] = mark
end

local function emit_failure(text)
  text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
  emit_mark(0x21)
  emit(#text)
  for i = 1, #text do emit_mark(string.byte(text, i)) end
end
