-- Decides requests of one check each, all for the same cost of one sliding counter: as a rule by one INCRBY.
--
-- KEYS     the keys, in order
-- ARGV     limit window ttl [cost; left out, 1 [now in ms; left out, the server's clock is read]]
-- Reply    now, then for each key what decide.lua reports

-- A script that runs for microseconds makes no function, and no text that it may not need: what is not usual
-- is decided the general way, whose functions are made when the first such key comes.

local limit, window, ttl, cost_text, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3], ARGV[4] or '1', ARGV[5]
local cost = cost_text + 0
-- @include now.lua
-- Locals are found faster than globals.
local keys, call, attempt, kind = KEYS, redis.call, redis.pcall, type

local scale = math.sqrt(9007199254740992 / (4398046511104 / window + 1))
scale = scale - scale % 1
local elapsed = now % window
local left = window - elapsed
local base = (now - elapsed) / window * scale * scale
-- Where products would pass 2^53 the general way divides in digits.
local fits = cost <= limit and cost < scale / 2 and scale * window <= 9007199254740992
  and base + scale * scale <= 9007199254740992
local half = scale / 2
local fresh, consume

for i = 1, #keys do
  local key = keys[i]
  local usual = fits
  local moved = fits and attempt('INCRBY', key, cost_text)
  if not fits then
    usual = false
  elseif kind(moved) == 'table' then
    usual = false
    local increment_of_key = cost_text
    -- @include foreign.lua
  else
    local current, previous, room = moved - base, 0, limit
    if current >= scale then
      local counts = current
      current = counts % scale
      previous = (counts - current) / scale
      local weighted = previous * left / window
      room = limit - (weighted - weighted % 1)
    end
    if moved == cost and base > 0 then
      -- Absent.
      fresh = fresh or string.format('%d', base + cost)
      call('SET', key, fresh, 'PX', ttl)
      previous, current = 0, cost
    elseif current > room or current < cost or current >= half or previous >= scale then
      -- Denied, or of another window: then `current` is negative, or `previous` larger than it can be.
      call('DECRBY', key, cost_text)
      usual = false
    elseif call('PTTL', key) < 0 then
      -- The TTL came with the window's first unit; somebody has taken it away.
      call('PEXPIRE', key, ttl)
    end
    if usual and previous > 0 then
      size = size + 1
      out[size] = 0x24
      local number = previous
      -- @include number.lua
    end
    if usual then
      local number = current - cost
      -- @include number.lua
    end
  end

  if not usual then
    if not consume then
      -- @include emit.lua
      -- @include state.lua
      -- @include multiply-divide.lua
      -- @include sliding-window-counter.lua
      -- @include decide.lua
      local algorithm = sliding_window_counter
      local capacity, span = limit, window
      -- @include consume.lua
      consume = consume_one
    end
    consume(key)
  end
end
-- @include reply.lua
