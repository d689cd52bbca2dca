-- Decides requests of one check each, all for the same cost of one fixed window: as a rule by one INCRBY.
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

local scale = 9007199254740992 / (4398046511104 / window + 1)
scale = scale - scale % 1
local base = (now - now % window) / window * scale
local most = scale / 2 - 1
if limit < most then most = limit end
local fits = cost <= most and base + scale <= 9007199254740992
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
    local used = moved - base
    if used < cost then
      -- Absent, or of a window that is over.
      fresh = fresh or string.format('%d', base + cost)
      call('SET', key, fresh, 'PX', ttl)
      used = cost
    elseif used > most then
      call('DECRBY', key, cost_text)
      usual = false
    elseif call('PTTL', key) < 0 then
      -- The TTL came with the window's first unit; somebody has taken it away.
      call('PEXPIRE', key, ttl)
    end
    if usual then
      local number = used - cost
      -- @include number.lua
    end
  end

  if not usual then
    if not consume then
      -- @include emit.lua
      -- @include state.lua
      -- @include fixed-window.lua
      -- @include decide.lua
      local algorithm = fixed_window
      local capacity, span = limit, window
      -- @include consume.lua
      consume = consume_one
    end
    consume(key)
  end
end
-- @include reply.lua
