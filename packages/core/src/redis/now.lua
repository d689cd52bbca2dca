-- One time for the whole call: that of the server, unless the caller brings a `clock` (tests). The reply
-- begins with it as it came, seconds and microseconds, or milliseconds and nothing: no number is spelt.
local now, came
if clock then
  now = clock + 0
  came = clock .. '  '
else
  local time = redis.call('TIME')
  now = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000
  came = time[1] .. ' ' .. time[2] .. ' '
end
local char = string.char
local out, size = {}, 0
