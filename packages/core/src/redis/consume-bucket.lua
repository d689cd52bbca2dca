-- Decides requests of one check each, all for the same cost of one token or leaky bucket: as a rule by one
-- GET and one write.
--
-- KEYS     the keys, in order
-- ARGV     limit window most ttl [increment; left out, the window [now in ms; left out, the server's clock is read]]
--          most = capacity * window, increment = cost * window
-- Reply    now, then for each key what decide.lua reports

-- A script that runs for microseconds makes no function, and no text that it may not need: what is not usual
-- is decided the general way, whose functions are made when the first such key comes.

local limit, window, most, ttl, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3] + 0, ARGV[4], ARGV[6]
local increment_text = ARGV[5] or ARGV[2]
local increment = increment_text + 0
-- @include now.lua
-- Locals are found faster than globals.
local keys, call, attempt = KEYS, redis.call, redis.pcall

local enough = ttl / 2
local consume

for i = 1, #keys do
  local key = keys[i]
  local usual = false
  local body = attempt('GET', key)
  local time, used = now, 0
  if body and #body == 16 then time, used = struct.unpack('>dd', body) end
  -- Neither blocked, nor of a clock that was ahead, nor something else.
  if (not body or #body == 16) and time >= 0 and time <= now and time % 1 == 0 and used >= 0 and used % 1 == 0 then
    used = used + (time - now) * limit
    if used < 0 then used = 0 end
    if used + increment <= most then
      usual = true
      local state = struct.pack('>dd', now, used + increment)
      -- A TTL that is still long needs no renewal; SETRANGE leaves it alone, and costs half of what SET does.
      if body and call('PTTL', key) > enough then
        call('SETRANGE', key, '0', state)
      else
        call('SET', key, state, 'PX', ttl)
      end
      local number = used
      -- @include number.lua
    end
  end

  if not usual then
    if not consume then
      -- @include emit.lua
      -- @include state.lua
      -- @include bucket.lua
      -- @include decide.lua
      local algorithm = bucket
      local capacity, cost = most / window, increment / window
      local span = limit == 0 and 0 or math.ceil(most / limit)
      -- @include consume.lua
      consume = consume_one
    end
    consume(key)
  end
end
-- @include reply.lua
