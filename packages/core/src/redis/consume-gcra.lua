-- Decides requests of one check each, all for the same cost of one gcra policy, the cost at most the
-- capacity. What is usual takes one INCRBY; everything else is undone and left to the general way.
--
-- KEYS     the keys, in order
-- ARGV     capacity limit window span ttl cost [now in ms; left out, the server's clock is read]
-- Reply    now, then for each key what decide.lua reports
--
-- @include clock.lua

local now = read_clock(ARGV[7])
local cost = tonumber(ARGV[6])
-- @include reply.lua
emit(now)

local consume
local function consume_in_general(key)
  if not consume then
    -- Made only when needed: functions cost time in a script that runs for a microsecond.
    local function general()
      -- @include state.lua
      -- @include gcra.lua
      -- @include decide.lua
      local algorithm = gcra
      -- @include consume.lua
      return consume
    end
    consume = general()
  end
  consume(key)
end

local limit, ttl = tonumber(ARGV[2]), ARGV[5]
local window = tonumber(ARGV[3])
local increment = cost * window
local most = tonumber(ARGV[1]) * window
local base = now * limit
local increment_text = string.format('%d', increment)
local fresh = string.format('%d', base + increment)

if increment > most then
  for i = 1, #KEYS do consume_in_general(KEYS[i]) end
  return reply()
end

for i = 1, #KEYS do
  local key = KEYS[i]
  local moved = redis.pcall('INCRBY', key, increment_text)
  if type(moved) == 'table' then
    -- Blocked, or not a number; other errors are not the key's and are raised again.
    if not string.find(moved.err, 'integer', 1, true) and not string.find(moved.err, 'WRONGTYPE', 1, true) then
      redis.call('INCRBY', key, increment_text)
    end
    consume_in_general(key)
  else
    local used = moved - base
    if used > increment and used <= most then
      emit(used - increment)
      if redis.call('PTTL', key) * limit < used then
        redis.call('PEXPIRE', key, ttl)
      end
    elseif used <= increment then
      -- Absent, or its arrival time has passed.
      redis.call('SET', key, fresh, 'PX', ttl)
      emit(0)
    else
      redis.call('DECRBY', key, increment_text)
      consume_in_general(key)
    end
  end
end
return reply()
