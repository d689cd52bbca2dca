-- Decides requests of one check each, all for the same cost of one gcra policy: as a rule by one INCRBY.
--
-- KEYS     the keys, in order
-- ARGV     limit window most ttl [increment; left out, the window [now in ms; left out, the server's clock is read]]
--          limit and window are the reduced ones; most = capacity * window, increment = cost * window
-- Reply    now, then for each key what decide.lua reports

-- A script that runs for microseconds makes no function, and no text that it may not need: what is not usual
-- is decided the general way, whose functions are made when the first such key comes.

local limit, window, most, ttl, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3] + 0, ARGV[4], ARGV[6]
local increment_text = ARGV[5] or ARGV[2]
local increment = increment_text + 0
-- @include now.lua
-- Locals are found faster than globals.
local keys, call, attempt, kind = KEYS, redis.call, redis.pcall, type

local base = now * limit
local fits = increment <= most
local fresh, consume

for i = 1, #keys do
  local key = keys[i]
  local usual = fits
  local moved = fits and attempt('INCRBY', key, increment_text)
  if not fits then
    usual = false
  elseif kind(moved) == 'table' then
    usual = false
    local increment_of_key = increment_text
    -- @include foreign.lua
  else
    local used = moved - base
    if used <= increment then
      -- Absent, or its arrival time has passed.
      fresh = fresh or string.format('%d', base + increment)
      call('SET', key, fresh, 'PX', ttl)
      used = increment
    elseif used > most then
      call('DECRBY', key, increment_text)
      usual = false
    elseif call('PTTL', key) * limit < used then
      call('PEXPIRE', key, ttl)
    end
    if usual then
      local number = used - increment
      -- @include number.lua
    end
  end

  if not usual then
    if not consume then
      -- @include emit.lua
      -- @include state.lua
      -- @include gcra.lua
      -- @include decide.lua
      local algorithm = gcra
      local capacity, cost, span = most / window, increment / window
      -- @include consume.lua
      consume = consume_one
    end
    consume(key)
  end
end
-- @include reply.lua
