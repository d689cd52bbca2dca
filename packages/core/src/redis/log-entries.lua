-- Twin of algorithms/log-entries.ts: the entries of a sliding log in one string,
--
--   until  head  before[0]  time[0] before[1]  time[1] before[2]  ...  time[last - 1] before[last]
--
-- of big-endian doubles: `until` when the key is blocked (else 0), then what log-entries.ts says.
-- The beginning is read at once, which is all of a short log; of a long one only what a search asks for.
local HEADER, CHUNK, LAST_OF_CHUNK, MAX_SUM = 24, 1024, '1023', 4503599627370496

local function log_double(state, offset)
  local chunk = state.chunk
  if offset + 8 <= #chunk then return (unpack('>d', chunk, offset + 1)) end
  return (unpack('>d', redis.call('GETRANGE', state.key, offset, offset + 7)))
end

local function is_empty(state)
  return state.head == state.last
end

-- Units of all entries before this one.
local function units_before(state, entry)
  return state.last == 0 and 0 or log_double(state, 16 + 16 * entry)
end

local function time_of(state, entry)
  return log_double(state, 24 + 16 * entry)
end

-- Time of the newest entry; 0 when there is none.
local function mark(state)
  return is_empty(state) and 0 or time_of(state, state.last - 1)
end

-- The first entry later than `time`: galloping from the oldest, since few have expired since the last charge.
local function first_after(state, time)
  local low, high, step = state.head, state.last, 1
  while low + step <= high do
    if time_of(state, low + step - 1) > time then
      high = low + step - 1
      break
    end
    low = low + step
    step = step * 2
  end
  while low < high do
    local middle = floor((low + high) / 2)
    if time_of(state, middle) > time then high = middle else low = middle + 1 end
  end
  return low
end

-- Time of the entry that holds the `nth` unit (from 1) counted from entry `first` on.
local function time_of_unit(state, first, nth)
  local sum = units_before(state, first) + nth
  local low, high = first, state.last - 1
  while low < high do
    local middle = floor((low + high) / 2)
    if units_before(state, middle + 1) >= sum then high = middle else low = middle + 1 end
  end
  return time_of(state, low)
end

-- The bytes of a log from one offset to another, the end excluded.
local function log_bytes(state, from, to)
  if to <= #state.chunk then return sub(state.chunk, from + 1, to) end
  return redis.call('GETRANGE', state.key, from, to - 1)
end

-- The pairs (time, units before the next) from entry `first` to the end, with `given` units fewer before each next.
local function log_pairs(state, first, given)
  local bytes = log_bytes(state, HEADER + 16 * first, HEADER + 16 * state.last)
  if given == 0 then return bytes end
  local pairs_left = {}
  for i = 1, #bytes, 16 do
    local time, before = unpack('>dd', bytes, i)
    pairs_left[#pairs_left + 1] = pack('>dd', time, before - given)
  end
  return table.concat(pairs_left)
end

-- SETRANGE and APPEND leave the TTL alone: it is renewed about once in a window.
local function log_touch(state)
  if redis.call('PTTL', state.key) < 2 * state.policy.window then
    redis.call('PEXPIRE', state.key, lifetime(state))
  end
end

-- Forgets the entries before `first` and makes the rest hold `used` units, the new ones at `time`.
local function append(state, first, time, used)
  local last = state.last - 1
  if first > last then
    local only = pack('>ddddd', state.blocked_until, 0, 0, time, used)
    return redis.call('SET', state.key, only, 'PX', lifetime(state))
  end
  local before = units_before(state, first)
  if first > state.last / 2 or before + used > MAX_SUM then
    -- A copy is paid for by the entries that it leaves behind; sums begin anew long before they pass 2^53.
    local given = before + used > MAX_SUM and before or 0
    before = before - given
    local kept = pack('>ddd', state.blocked_until, 0, before) .. log_pairs(state, first, given)
    redis.call('SET', state.key, kept, 'PX', lifetime(state))
    state.last = state.last - first
  elseif first ~= state.head then
    redis.call('SETRANGE', state.key, '8', pack('>d', first))
  end
  if state.mark == time then
    redis.call('SETRANGE', state.key, 16 + 16 * state.last, pack('>d', before + used))
  else
    redis.call('APPEND', state.key, pack('>dd', time, before + used))
  end
  log_touch(state)
end

-- Takes up to `cost` units from the entry of exactly this time, if there is one; an entry without units goes.
local function give_back(state, time, cost)
  local entry = first_after(state, time - 1)
  if entry == state.last or time_of(state, entry) ~= time then return end
  local units = units_before(state, entry + 1) - units_before(state, entry)
  local given = min(cost, units)
  local left = log_bytes(state, 0, HEADER + 16 * entry)
  local pairs_left = log_pairs(state, entry, given)
  if given == units then pairs_left = sub(pairs_left, 17) end
  redis.call('SET', state.key, left .. pairs_left, 'KEEPTTL')
end
