-- One time for the whole call: that of the server, unless the caller brings a clock (tests).
-- TIME answers texts; arithmetic makes numbers of them.
local function read_clock(text)
  if text and text ~= '' then return tonumber(text) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
