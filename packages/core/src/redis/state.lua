-- What the states of all algorithms but the log have in common: one string,
--
--   [ 'b' until ] body       `until` = the ms until which the key is blocked, a double of 8 bytes
--
-- whose body only its algorithm understands. Decimal digits are whole numbers that INCRBY can move;
-- doubles are big-endian, so that their first byte can be neither a digit nor 'b'.
--
-- A state table holds `key`, `policy`, the cells as the algorithm names them, what `read` makes of
-- them, `exists` (there is a body) and `blocked_until` (0 when there is no block in force).
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
-- Counts stop here: the sum of two and a cost stays exact below 2^53.
local MAX_COUNT = 2251799813685248

local function split_block(state, value)
  state.blocked_until = 0
  if byte(value) ~= BLOCKED then return value end
  local blocked_until = unpack('>d', value, 2)
  if blocked_until > now then state.blocked_until = blocked_until end
  return sub(value, 10)
end

local function with_block(state, body)
  if state.blocked_until == 0 then return body end
  return 'b' .. pack('>d', state.blocked_until) .. body
end

-- How long a write keeps the key: the policy's span of life, or the block where that is longer.
local function lifetime(state)
  local blocked = state.blocked_until - now
  if blocked <= tonumber(state.policy.ttl) then return state.policy.ttl end
  return format('%d', blocked)
end

-- Fills the cells. Answers nothing, or why the key cannot be read.
local function load(state)
  local value = redis.pcall('GET', state.key)
  if type(value) == 'table' then return 'GET ' .. value.err end
  local body = split_block(state, value or '')
  state.exists = body ~= ''
  if not state.policy.algorithm.decode(state.policy, state, body) then return 'is not a state' end
end

local function save(state)
  redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'PX', lifetime(state))
  state.exists = true
end

-- For what must not extend a life: refunds.
local function save_keeping_ttl(state)
  redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'KEEPTTL')
end

-- Denies until then; a body that is there stays as it is, and lives no shorter than before.
local function block(state, blocked_until)
  local body = state.exists and state.policy.algorithm.encode(state.policy, state) or ''
  local blocked = state.blocked_until > 0
  state.blocked_until = blocked_until > now and blocked_until or 0
  if state.blocked_until > 0 then
    local ttl = max(redis.call('PTTL', state.key), blocked_until - now, tonumber(state.policy.floor))
    redis.call('SET', state.key, with_block(state, body), 'PX', format('%d', ttl))
  elseif blocked and body ~= '' then
    redis.call('SET', state.key, body, 'KEEPTTL')
  elseif blocked then
    redis.call('DEL', state.key)
  end
end

-- A denial writes nothing; but where somebody took the key's TTL away, it is given one again.
local function heal(state)
  if redis.call('PTTL', state.key) == -1 then
    redis.call('PEXPIRE', state.key, lifetime(state))
  end
end
