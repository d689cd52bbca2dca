-- Decides requests of one check each, all for the same cost of one fixed window, the cost at most the
-- limit. What is usual takes one INCRBY; everything else is undone and left to the general way.
--
-- KEYS     the keys, in order
-- ARGV     capacity limit window span ttl cost [now in ms; left out, the server's clock is read]
-- Reply    now, then for each key what decide.lua reports
--
-- @include clock.lua

local now = read_clock(ARGV[7])
local cost_text, cost = ARGV[6], tonumber(ARGV[6])
-- @include reply.lua
emit(now)

local consume
local function consume_in_general(key)
  if not consume then
    -- Made only when needed: functions cost time in a script that runs for a microsecond.
    local function general()
      -- @include state.lua
      -- @include fixed-window.lua
      -- @include decide.lua
      local algorithm = fixed_window
      -- @include consume.lua
      return consume
    end
    consume = general()
  end
  consume(key)
end

local limit, window, ttl = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5]
local _, bits = math.frexp(4398046511104 / window)
local scale = 2 ^ (53 - bits)
local base = math.floor(now / window) * scale
local fresh = string.format('%d', base + cost)
local most = math.min(limit, scale / 2 - 1)

if cost > most or base + scale > 9007199254740992 then
  for i = 1, #KEYS do consume_in_general(KEYS[i]) end
  return reply()
end

for i = 1, #KEYS do
  local key = KEYS[i]
  local moved = redis.pcall('INCRBY', key, cost_text)
  if type(moved) == 'table' then
    -- Blocked, or not a number; other errors are not the key's and are raised again.
    if not string.find(moved.err, 'integer', 1, true) and not string.find(moved.err, 'WRONGTYPE', 1, true) then
      redis.call('INCRBY', key, cost_text)
    end
    consume_in_general(key)
  else
    local used = moved - base
    if used >= cost and used <= most then
      emit(used - cost)
      if redis.call('PTTL', key) < 0 then
        redis.call('PEXPIRE', key, ttl)
      end
    elseif used < cost then
      -- Absent, or of a window that is over.
      redis.call('SET', key, fresh, 'PX', ttl)
      emit(0)
    else
      redis.call('DECRBY', key, cost_text)
      consume_in_general(key)
    end
  end
end
return reply()
