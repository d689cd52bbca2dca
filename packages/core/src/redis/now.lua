-- One time for the whole call: that of the server, unless the caller brings a `clock` (tests). The reply
-- begins with it as it came, seconds and microseconds, or milliseconds and nothing: no number is spelt.
local now, came, rest
if clock then
  now, came, rest = clock + 0, clock, ''
else
  local time = redis.call('TIME')
  came, rest = time[1], time[2]
  local micros = rest + 0
  now = came * 1000 + (micros - micros % 1000) / 1000
end
-- The bytes of the reply: they become one text at its end, since texts are costly to make.
local out, size, values = {}, 0, unpack
