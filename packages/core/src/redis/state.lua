-- What the states of all algorithms but the log have in common: one string,
--
--   [ 'b' until ] body       `until` = the ms until which the key is blocked, a double of 8 bytes
--
-- whose body only its algorithm understands. Decimal digits are whole numbers that INCRBY can move;
-- doubles are big-endian, so that their first byte can be neither a digit nor 'b'.
--
-- A state table holds `key`, `policy`, the cells as the algorithm names them, what `read` makes of
-- them, `exists` (there is a body) and `blocked_until` (0 for none; one that is over stays, since clocks
-- can step back).
local floor, max, min = math.floor, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
-- Counts stop here: the sum of two and a cost stays exact below 2^53.
local MAX_COUNT = 2251799813685248

-- Whether a number can be part of a state; what others wrote there must not break the script.
local function is_whole(number)
  return number >= 0 and number <= 9007199254740992 and number % 1 == 0
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
  local body = redis.pcall('GET', state.key)
  if type(body) == 'table' then
    if string.find(body.err, 'WRONGTYPE', 1, true) then return body.err end
    redis.call('GET', state.key)
  end
  body = body or ''
  state.blocked_until = 0
  if byte(body) == BLOCKED then
    local blocked_until = #body >= 9 and unpack('>d', body, 2) or -1
    if not is_whole(blocked_until) then return 'is not a state' end
    state.blocked_until = blocked_until
    body = sub(body, 10)
  end
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

-- Denies until then, 0 for no more; a body that is there stays as it is, and lives no shorter than before.
local function block(state, blocked_until)
  local body = state.exists and state.policy.algorithm.encode(state.policy, state) or ''
  local blocked = state.blocked_until > 0
  state.blocked_until = blocked_until
  if blocked_until > 0 then
    local ttl = max(redis.call('PTTL', state.key), blocked_until - now, tonumber(state.policy.ttl))
    redis.call('SET', state.key, with_block(state, body), 'PX', format('%d', ttl))
  elseif blocked and body ~= '' then
    redis.call('SET', state.key, body, 'KEEPTTL')
  elseif blocked then
    redis.call('DEL', state.key)
  end
end

-- A denial writes nothing; but where somebody took the key's TTL away, it is given one again, and so is a
-- bucket that takes longer to drain than when it was charged, since its rate has been lowered.
local function heal(state)
  local left = redis.call('PTTL', state.key)
  if left == -1 or (left >= 0 and state.cell_used and left * state.policy.limit < state.used) then
    redis.call('PEXPIRE', state.key, lifetime(state))
  end
end
