// Written by scripts/generate-lua.mjs from the .lua files beside it; do not edit.
import type { Script } from "./script.ts";

export const batchScript: Script = {
  sha1: "769507b8fbbb36325b38d356794a4ddd6fe1091c",
  lua: `local clock = ARGV[1] ~= '' and ARGV[1]
local now, came, rest
if clock then
now, came, rest = clock + 0, clock, ''
else
local time = redis.call('TIME')
came, rest = time[1], time[2]
local micros = rest + 0
now = came * 1000 + (micros - micros % 1000) / 1000
end
local out, size, values = {}, 0, unpack
local function emit(number)
if not (number >= 0 and number <= 9007199254740992) then number = 0 end
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
local function emit_mark(mark)
size = size + 1
out[size] = mark
end
local function emit_failure(text)
text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
emit_mark(0x21)
emit(#text)
for i = 1, #text do emit_mark(string.byte(text, i)) end
end
local floor, max, min = math.floor, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
local MAX_COUNT = 2251799813685248
local function is_whole(number)
return number >= 0 and number <= 9007199254740992 and number % 1 == 0
end
local function with_block(state, body)
if state.blocked_until == 0 then return body end
return 'b' .. pack('>d', state.blocked_until) .. body
end
local function lifetime(state)
local blocked = state.blocked_until - now
if blocked <= tonumber(state.policy.ttl) then return state.policy.ttl end
return format('%d', blocked)
end
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
local function save_keeping_ttl(state)
redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'KEEPTTL')
end
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
local function heal(state)
local left = redis.call('PTTL', state.key)
if left == -1 or (left >= 0 and state.cell_used and left * state.policy.limit < state.used) then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local fixed_window = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
local function fixed_window_scale(window)
return floor(9007199254740992 / (4398046511104 / window + 1))
end
function fixed_window.decode(policy, state, body)
if body == '' then
state.start, state.count = 0, 0
return true
end
local packed = tonumber(body)
if packed and is_whole(packed) then
local scale = fixed_window_scale(policy.window)
local number = floor(packed / scale)
state.start, state.count = number * policy.window, packed - number * scale
return true
end
if #body ~= 16 then return false end
state.start, state.count = unpack('>dd', body)
return is_whole(state.start) and is_whole(state.count)
end
function fixed_window.encode(policy, state)
local scale = fixed_window_scale(policy.window)
local packed = state.start / policy.window * scale
if state.count < scale / 2 and packed + scale <= 9007199254740992 then
return format('%d', packed + state.count)
end
return pack('>dd', state.start, state.count)
end
function fixed_window.read(policy, state, now)
local window = policy.window
local elapsed = now - state.start
if elapsed < window and elapsed >= -window then
state.time = elapsed < 0 and state.start or now
state.used = state.count
else
state.time = now
state.start = floor(now / window) * window
state.used = 0
end
end
function fixed_window.report(policy, state)
emit(state.used)
end
function fixed_window.admits(policy, state, cost)
return state.used + cost <= policy.limit
end
function fixed_window.take(policy, state, cost)
state.used = state.used + cost
end
function fixed_window.owe(policy, state, cost)
state.used = min(state.used + cost, MAX_COUNT)
end
function fixed_window.write(policy, state)
state.count = state.used
end
function fixed_window.refund(policy, state, now, receipt, cost)
local elapsed = now - state.start
if state.start ~= receipt or elapsed >= policy.window or elapsed < -policy.window then return false end
state.count = max(0, state.count - cost)
return true
end
function fixed_window.inspect(policy, state)
emit(state.start)
emit(state.count)
end
local HEADER, CHUNK, LAST_OF_CHUNK, MAX_SUM = 24, 1024, '1023', 4503599627370496
local function log_double(state, offset)
local chunk = state.chunk
if offset + 8 <= #chunk then return (unpack('>d', chunk, offset + 1)) end
return (unpack('>d', redis.call('GETRANGE', state.key, offset, offset + 7)))
end
local function is_empty(state)
return state.head == state.last
end
local function units_before(state, entry)
return state.last == 0 and 0 or log_double(state, 16 + 16 * entry)
end
local function time_of(state, entry)
return log_double(state, 24 + 16 * entry)
end
local function mark(state)
return is_empty(state) and 0 or time_of(state, state.last - 1)
end
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
local function time_of_unit(state, first, nth)
local sum = units_before(state, first) + nth
local low, high = first, state.last - 1
while low < high do
local middle = floor((low + high) / 2)
if units_before(state, middle + 1) >= sum then high = middle else low = middle + 1 end
end
return time_of(state, low)
end
local function log_bytes(state, from, to)
if to <= #state.chunk then return sub(state.chunk, from + 1, to) end
return redis.call('GETRANGE', state.key, from, to - 1)
end
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
local function log_touch(state)
if redis.call('PTTL', state.key) < 2 * state.policy.window then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local function append(state, first, time, used)
local last = state.last - 1
if first > last then
local only = pack('>ddddd', state.blocked_until, 0, 0, time, used)
return redis.call('SET', state.key, only, 'PX', lifetime(state))
end
local before = units_before(state, first)
if first > state.last / 2 or before + used > MAX_SUM then
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
local sliding_window_log = {}
function sliding_window_log.load(state)
local chunk = redis.pcall('GETRANGE', state.key, '0', LAST_OF_CHUNK)
if type(chunk) == 'table' then
if string.find(chunk.err, 'WRONGTYPE', 1, true) then return chunk.err end
redis.call('GETRANGE', state.key, '0', LAST_OF_CHUNK)
end
state.chunk, state.size = chunk, #chunk
state.blocked_until, state.head, state.last = 0, 0, 0
state.exists = chunk ~= ''
if not state.exists then return end
if state.size == CHUNK then state.size = redis.call('STRLEN', state.key) end
state.last = (state.size - HEADER) / 16
if state.last < 0 or state.last % 1 ~= 0 then return 'is not a state' end
state.blocked_until, state.head = unpack('>dd', chunk)
if not is_whole(state.blocked_until) or not is_whole(state.head) or state.head > state.last then return 'is not a state' end
end
function sliding_window_log.read(policy, state, now)
local last = state.last
local mark = mark(state)
state.mark = mark
state.time = now
state.first = last
state.used = 0
if mark <= now - policy.window or mark - now > policy.window or is_empty(state) then return end
state.time = max(now, mark)
state.first = first_after(state, state.time - policy.window)
state.used = units_before(state, last) - units_before(state, state.first)
end
function sliding_window_log.report(policy, state, cost)
emit(state.used)
if state.used == 0 then return end
emit(state.time - state.mark)
local surplus = state.used + cost - policy.limit
if cost > 0 and cost <= policy.limit and surplus > 0 then
emit(state.time - time_of_unit(state, state.first, surplus))
end
end
function sliding_window_log.admits(policy, state, cost)
return state.used + cost <= policy.limit
end
function sliding_window_log.take(policy, state, cost)
state.used = state.used + cost
end
function sliding_window_log.owe(policy, state, cost)
state.used = min(state.used + cost, MAX_COUNT)
end
function sliding_window_log.write() end
function sliding_window_log.save(state)
append(state, state.first, state.time, state.used)
end
function sliding_window_log.refund(policy, state, now, receipt, cost)
local mark = mark(state)
if is_empty(state) or mark - now > policy.window or receipt <= max(now, mark) - policy.window then return false end
give_back(state, receipt, cost)
sliding_window_log.load(state)
return false
end
function sliding_window_log.block(state, blocked_until)
if blocked_until > 0 then
local ttl = max(redis.call('PTTL', state.key), blocked_until - now, tonumber(state.policy.ttl))
redis.call('SETRANGE', state.key, 0, state.exists and pack('>d', blocked_until) or pack('>ddd', blocked_until, 0, 0))
redis.call('PEXPIRE', state.key, format('%d', ttl))
elseif not is_empty(state) then
redis.call('SETRANGE', state.key, 0, pack('>d', 0))
elseif state.exists then
redis.call('DEL', state.key)
end
end
function sliding_window_log.inspect(policy, state, now)
sliding_window_log.read(policy, state, now)
emit(state.used)
emit(state.last - state.first)
emit(state.mark)
end
local function multiply_divide(a, b, c)
local product = a * b
if product < 9007199254740992 then return floor(product / c) end
local quotient, remainder, unit = 0, 0, 17592186044416
while unit >= 1 do
local digit = floor(a / unit) % 2048
local dividend = remainder * 2048 + digit * b
local quotient_digit = floor(dividend / c)
quotient = quotient * 2048 + quotient_digit
remainder = dividend - quotient_digit * c
unit = unit / 2048
end
return quotient
end
local sliding_window_counter = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
local function sliding_window_counter_scale(window)
return floor(math.sqrt(9007199254740992 / (4398046511104 / window + 1)))
end
function sliding_window_counter.decode(policy, state, body)
if body == '' then
state.cell_start, state.cell_current, state.cell_previous = 0, 0, 0
return true
end
local packed = tonumber(body)
if packed and is_whole(packed) then
local scale = sliding_window_counter_scale(policy.window)
local upper = floor(packed / scale)
local number = floor(upper / scale)
state.cell_start = number * policy.window
state.cell_current = packed - upper * scale
state.cell_previous = upper - number * scale
return true
end
if #body ~= 24 then return false end
state.cell_start, state.cell_current, state.cell_previous = unpack('>ddd', body)
return is_whole(state.cell_start) and is_whole(state.cell_current) and is_whole(state.cell_previous)
end
function sliding_window_counter.encode(policy, state)
local scale = sliding_window_counter_scale(policy.window)
local packed = state.cell_start / policy.window * scale * scale
if state.cell_current < scale / 2 and state.cell_previous < scale and packed + scale * scale <= 9007199254740992 then
return format('%d', packed + state.cell_previous * scale + state.cell_current)
end
return pack('>ddd', state.cell_start, state.cell_current, state.cell_previous)
end
function sliding_window_counter.read(policy, state, now)
local window = policy.window
local start = state.cell_start
local elapsed = now - start
if elapsed < window and elapsed >= -window then
state.time = elapsed < 0 and start or now
state.start = start
state.current = state.cell_current
state.previous = state.cell_previous
elseif elapsed >= window and elapsed < 2 * window then
state.time = now
state.start = start + window
state.current = 0
state.previous = state.cell_current
else
state.time = now
state.start = floor(now / window) * window
state.current = 0
state.previous = 0
end
local left = state.start + window - state.time
state.used = state.current + (state.previous == 0 and 0 or multiply_divide(state.previous, left, window))
end
function sliding_window_counter.report(policy, state)
if state.previous > 0 then
emit_mark(0x24)
emit(state.previous)
end
emit(state.current)
end
function sliding_window_counter.admits(policy, state, cost)
return state.used + cost <= policy.limit
end
function sliding_window_counter.take(policy, state, cost)
state.current = state.current + cost
state.used = state.used + cost
end
function sliding_window_counter.owe(policy, state, cost)
local owed = min(cost, MAX_COUNT - state.current)
state.current = state.current + owed
state.used = state.used + owed
end
function sliding_window_counter.write(policy, state)
state.cell_start = state.start
state.cell_current = state.current
state.cell_previous = state.previous
end
function sliding_window_counter.refund(policy, state, now, receipt, cost)
local window = policy.window
local start = state.cell_start
if start - now > window or now >= receipt + 2 * window then return false end
if receipt == start then
state.cell_current = max(0, state.cell_current - cost)
elseif receipt == start - window then
state.cell_previous = max(0, state.cell_previous - cost)
else
return false
end
return true
end
function sliding_window_counter.inspect(policy, state)
emit(state.cell_start)
emit(state.cell_current)
emit(state.cell_previous)
end
local bucket = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
function bucket.decode(policy, state, body)
if body == '' then
state.cell_time, state.cell_used = 0, 0
return true
end
if #body ~= 16 then return false end
state.cell_time, state.cell_used = unpack('>dd', body)
return is_whole(state.cell_time) and is_whole(state.cell_used)
end
function bucket.encode(policy, state)
return pack('>dd', state.cell_time, state.cell_used)
end
function bucket.read(policy, state, now)
local time = state.cell_time
local ahead = time - now
if ahead > policy.span then
state.time = now
state.used = 0
elseif ahead > 0 then
state.time = time
state.used = state.cell_used
else
state.time = now
state.used = max(0, state.cell_used + ahead * policy.limit)
end
end
function bucket.report(policy, state)
emit(state.used)
end
function bucket.admits(policy, state, cost)
return cost <= policy.capacity and state.used + cost * policy.window <= policy.capacity * policy.window
end
function bucket.take(policy, state, cost)
state.used = state.used + cost * policy.window
end
function bucket.owe(policy, state, cost)
local owed = min(state.used + cost * policy.window, 2 * policy.capacity * policy.window)
state.used = max(state.used, owed)
end
function bucket.write(policy, state)
state.cell_time = state.time
state.cell_used = state.used
end
function bucket.refund(policy, state, now, receipt, cost)
local time = state.cell_time
if time - now > policy.span or max(now, time) - receipt >= policy.span then return false end
state.cell_used = max(0, state.cell_used - cost * policy.window)
return true
end
function bucket.inspect(policy, state)
emit(state.cell_time)
emit(state.cell_used)
end
local token_bucket = bucket
local gcra = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
local function used_at(policy, arrival, now)
local used = arrival - now * policy.limit
return used > 0 and used <= 3 * policy.capacity * policy.window and used or 0
end
function gcra.decode(policy, state, body)
state.arrival = body == '' and 0 or tonumber(body)
return state.arrival ~= nil and is_whole(state.arrival)
end
function gcra.encode(policy, state)
return format('%d', state.arrival)
end
function gcra.read(policy, state, now)
state.time = now
state.used = used_at(policy, state.arrival, now)
end
function gcra.report(policy, state)
emit(state.used)
end
function gcra.admits(policy, state, cost)
return cost <= policy.capacity and state.used + cost * policy.window <= policy.capacity * policy.window
end
function gcra.take(policy, state, cost)
state.used = state.used + cost * policy.window
end
function gcra.owe(policy, state, cost)
local owed = min(state.used + cost * policy.window, 2 * policy.capacity * policy.window)
state.used = max(state.used, owed)
end
function gcra.write(policy, state)
state.arrival = state.time * policy.limit + state.used
end
function gcra.refund(policy, state, now, receipt, cost)
if now - receipt >= policy.span then return false end
state.arrival = state.arrival - min(used_at(policy, state.arrival, now), cost * policy.window)
return true
end
function gcra.inspect(policy, state)
emit(state.arrival)
end
local leaky_bucket = bucket
local function report_block(state)
if state.blocked_until <= now then return end
emit_mark(0x23)
emit(state.blocked_until - now)
end
local function report(state, cost)
if state.time > now then
emit_mark(0x22)
emit(state.time - now)
end
report_block(state)
state.policy.algorithm.report(state.policy, state, cost)
end
local function ask(state, cost)
local policy = state.policy
local failure = policy.algorithm.load(state)
state.failed = failure ~= nil
if failure then
emit_failure(failure)
return false
end
policy.algorithm.read(policy, state, now)
report(state, cost)
if state.blocked_until > now then return false end
return cost == 0 or policy.algorithm.admits(policy, state, cost)
end
local function charge(state, cost)
local policy = state.policy
policy.algorithm.take(policy, state, cost)
policy.algorithm.write(policy, state)
policy.algorithm.save(state)
end
local algorithms = {
['fixed-window'] = fixed_window,
['sliding-window-log'] = sliding_window_log,
['sliding-window-counter'] = sliding_window_counter,
['token-bucket'] = token_bucket,
gcra = gcra,
['leaky-bucket'] = leaky_bucket,
}
local extra = 3 + tonumber(ARGV[2])
local runs = ARGV[extra]
local function next_extra()
extra = extra + 1
return tonumber(ARGV[extra])
end
local function refund(state, receipt, cost)
local policy = state.policy
if not state.exists or not policy.algorithm.refund(policy, state, now, receipt, cost) then return end
policy.algorithm.save_keeping_ttl(state)
end
local verbs = {}
function verbs.consume(states)
local allowed = true
for _, state in ipairs(states) do
state.fits = ask(state, state.cost)
if not state.fits and not state.shadow then allowed = false end
end
for _, state in ipairs(states) do
if state.fits and (allowed or state.shadow) then
if state.cost > 0 then charge(state, state.cost) end
elseif not state.failed then
heal(state)
end
end
end
function verbs.raise(states)
for _, state in ipairs(states) do
local cost, receipt = next_extra(), next_extra()
if cost > 0 and not state.policy.algorithm.load(state) then refund(state, receipt, cost) end
end
verbs.consume(states)
end
function verbs.peek(states)
for _, state in ipairs(states) do ask(state, 0) end
end
function verbs.charge(states)
for _, state in ipairs(states) do
local policy, algorithm = state.policy, state.policy.algorithm
if state.cost > 0 and not algorithm.load(state) then
algorithm.read(policy, state, now)
algorithm.owe(policy, state, state.cost)
algorithm.write(policy, state)
algorithm.save(state)
end
ask(state, 0)
end
end
local function each(states, change)
local failure
for _, state in ipairs(states) do
local failed = state.policy.algorithm.load(state)
if failed then failure = failed else change(state) end
end
if failure then emit_failure(failure) else emit(0) end
end
function verbs.refund(states)
for _, state in ipairs(states) do state.back, state.receipt = next_extra(), next_extra() end
each(states, function(state) refund(state, state.receipt, state.back) end)
end
function verbs.reset(states)
for _, state in ipairs(states) do redis.call('DEL', state.key) end
emit(0)
end
function verbs.block(states)
for _, state in ipairs(states) do state.block_ms = next_extra() end
each(states, function(state)
state.policy.algorithm.block(state, state.block_ms > 0 and now + state.block_ms or 0)
end)
end
function verbs.inspect(states)
for _, state in ipairs(states) do
local failure = state.policy.algorithm.load(state)
if failure then
emit_failure(failure)
else
report_block(state)
state.policy.algorithm.inspect(state.policy, state, now)
end
end
end
local function plan_of(text)
local words = string.gmatch(text, '%S+')
local plan = { decide = verbs[words()], states = {} }
for algorithm in words do
local policy = { algorithm = algorithms[algorithm] }
policy.capacity, policy.limit, policy.window = tonumber(words()), tonumber(words()), tonumber(words())
policy.span, policy.ttl = tonumber(words()), words()
plan.states[#plan.states + 1] = { policy = policy, cost = tonumber(words()), shadow = words() == '1' }
end
return plan
end
local plans = {}
for i = 1, tonumber(ARGV[2]) do plans[i] = plan_of(ARGV[2 + i]) end
local key = 0
for number, count in string.gmatch(runs, '(%d+) (%d+)') do
local plan = plans[tonumber(number)]
for _ = 1, tonumber(count) do
for _, state in ipairs(plan.states) do
key = key + 1
state.key = KEYS[key]
end
plan.decide(plan.states)
end
end
local text = came .. ' ' .. rest .. ' ' .. string.char(values(out, 1, size < 4000 and size or 4000))
for first = 4001, size, 4000 do
local last = first + 3999
text = text .. string.char(values(out, first, last < size and last or size))
end
return text`,
};


export const consumeBucketScript: Script = {
  sha1: "d9b8b12d4b9fe31da007e6971a8ddfc1bb25d7f4",
  lua: `local limit, window, most, ttl, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3] + 0, ARGV[4], ARGV[6]
local increment_text = ARGV[5] or ARGV[2]
local increment = increment_text + 0
local now, came, rest
if clock then
now, came, rest = clock + 0, clock, ''
else
local time = redis.call('TIME')
came, rest = time[1], time[2]
local micros = rest + 0
now = came * 1000 + (micros - micros % 1000) / 1000
end
local out, size, values = {}, 0, unpack
local keys, call, attempt = KEYS, redis.call, redis.pcall
local enough = ttl / 2
local consume
for i = 1, #keys do
local key = keys[i]
local usual = false
local body = attempt('GET', key)
local time, used = now, 0
if body and #body == 16 then time, used = struct.unpack('>dd', body) end
if (not body or #body == 16) and time >= 0 and time <= now and time % 1 == 0 and used >= 0 and used % 1 == 0 then
used = used + (time - now) * limit
if used < 0 then used = 0 end
if used + increment <= most then
usual = true
local state = struct.pack('>dd', now, used + increment)
if body and call('PTTL', key) > enough then
call('SETRANGE', key, '0', state)
else
call('SET', key, state, 'PX', ttl)
end
local number = used
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
end
if not usual then
if not consume then
local function emit(number)
if not (number >= 0 and number <= 9007199254740992) then number = 0 end
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
local function emit_mark(mark)
size = size + 1
out[size] = mark
end
local function emit_failure(text)
text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
emit_mark(0x21)
emit(#text)
for i = 1, #text do emit_mark(string.byte(text, i)) end
end
local floor, max, min = math.floor, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
local MAX_COUNT = 2251799813685248
local function is_whole(number)
return number >= 0 and number <= 9007199254740992 and number % 1 == 0
end
local function with_block(state, body)
if state.blocked_until == 0 then return body end
return 'b' .. pack('>d', state.blocked_until) .. body
end
local function lifetime(state)
local blocked = state.blocked_until - now
if blocked <= tonumber(state.policy.ttl) then return state.policy.ttl end
return format('%d', blocked)
end
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
local function save_keeping_ttl(state)
redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'KEEPTTL')
end
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
local function heal(state)
local left = redis.call('PTTL', state.key)
if left == -1 or (left >= 0 and state.cell_used and left * state.policy.limit < state.used) then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local bucket = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
function bucket.decode(policy, state, body)
if body == '' then
state.cell_time, state.cell_used = 0, 0
return true
end
if #body ~= 16 then return false end
state.cell_time, state.cell_used = unpack('>dd', body)
return is_whole(state.cell_time) and is_whole(state.cell_used)
end
function bucket.encode(policy, state)
return pack('>dd', state.cell_time, state.cell_used)
end
function bucket.read(policy, state, now)
local time = state.cell_time
local ahead = time - now
if ahead > policy.span then
state.time = now
state.used = 0
elseif ahead > 0 then
state.time = time
state.used = state.cell_used
else
state.time = now
state.used = max(0, state.cell_used + ahead * policy.limit)
end
end
function bucket.report(policy, state)
emit(state.used)
end
function bucket.admits(policy, state, cost)
return cost <= policy.capacity and state.used + cost * policy.window <= policy.capacity * policy.window
end
function bucket.take(policy, state, cost)
state.used = state.used + cost * policy.window
end
function bucket.owe(policy, state, cost)
local owed = min(state.used + cost * policy.window, 2 * policy.capacity * policy.window)
state.used = max(state.used, owed)
end
function bucket.write(policy, state)
state.cell_time = state.time
state.cell_used = state.used
end
function bucket.refund(policy, state, now, receipt, cost)
local time = state.cell_time
if time - now > policy.span or max(now, time) - receipt >= policy.span then return false end
state.cell_used = max(0, state.cell_used - cost * policy.window)
return true
end
function bucket.inspect(policy, state)
emit(state.cell_time)
emit(state.cell_used)
end
local function report_block(state)
if state.blocked_until <= now then return end
emit_mark(0x23)
emit(state.blocked_until - now)
end
local function report(state, cost)
if state.time > now then
emit_mark(0x22)
emit(state.time - now)
end
report_block(state)
state.policy.algorithm.report(state.policy, state, cost)
end
local function ask(state, cost)
local policy = state.policy
local failure = policy.algorithm.load(state)
state.failed = failure ~= nil
if failure then
emit_failure(failure)
return false
end
policy.algorithm.read(policy, state, now)
report(state, cost)
if state.blocked_until > now then return false end
return cost == 0 or policy.algorithm.admits(policy, state, cost)
end
local function charge(state, cost)
local policy = state.policy
policy.algorithm.take(policy, state, cost)
policy.algorithm.write(policy, state)
policy.algorithm.save(state)
end
local algorithm = bucket
local capacity, cost = most / window, increment / window
local span = limit == 0 and 0 or math.ceil(most / limit)
local state = {
policy = { algorithm = algorithm, capacity = capacity, limit = limit, window = window, span = span, ttl = ttl },
}
local function consume_one(key)
state.key = key
if ask(state, cost) then
charge(state, cost)
elseif not state.failed then
heal(state)
end
end
consume = consume_one
end
consume(key)
end
end
local text = came .. ' ' .. rest .. ' ' .. string.char(values(out, 1, size < 4000 and size or 4000))
for first = 4001, size, 4000 do
local last = first + 3999
text = text .. string.char(values(out, first, last < size and last or size))
end
return text`,
};


export const consumeFixedWindowScript: Script = {
  sha1: "e19712abe99031232991b808564e5ecc3259c4c6",
  lua: `local limit, window, ttl, cost_text, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3], ARGV[4] or '1', ARGV[5]
local cost = cost_text + 0
local now, came, rest
if clock then
now, came, rest = clock + 0, clock, ''
else
local time = redis.call('TIME')
came, rest = time[1], time[2]
local micros = rest + 0
now = came * 1000 + (micros - micros % 1000) / 1000
end
local out, size, values = {}, 0, unpack
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
if not string.find(moved.err, 'integer', 1, true) and not string.find(moved.err, 'overflow', 1, true)
and not string.find(moved.err, 'WRONGTYPE', 1, true) then
redis.call('INCRBY', key, increment_of_key)
end
else
local used = moved - base
if used < cost then
fresh = fresh or string.format('%d', base + cost)
call('SET', key, fresh, 'PX', ttl)
used = cost
elseif used > most then
call('DECRBY', key, cost_text)
usual = false
elseif call('PTTL', key) < 0 then
call('PEXPIRE', key, ttl)
end
if usual then
local number = used - cost
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
end
if not usual then
if not consume then
local function emit(number)
if not (number >= 0 and number <= 9007199254740992) then number = 0 end
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
local function emit_mark(mark)
size = size + 1
out[size] = mark
end
local function emit_failure(text)
text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
emit_mark(0x21)
emit(#text)
for i = 1, #text do emit_mark(string.byte(text, i)) end
end
local floor, max, min = math.floor, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
local MAX_COUNT = 2251799813685248
local function is_whole(number)
return number >= 0 and number <= 9007199254740992 and number % 1 == 0
end
local function with_block(state, body)
if state.blocked_until == 0 then return body end
return 'b' .. pack('>d', state.blocked_until) .. body
end
local function lifetime(state)
local blocked = state.blocked_until - now
if blocked <= tonumber(state.policy.ttl) then return state.policy.ttl end
return format('%d', blocked)
end
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
local function save_keeping_ttl(state)
redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'KEEPTTL')
end
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
local function heal(state)
local left = redis.call('PTTL', state.key)
if left == -1 or (left >= 0 and state.cell_used and left * state.policy.limit < state.used) then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local fixed_window = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
local function fixed_window_scale(window)
return floor(9007199254740992 / (4398046511104 / window + 1))
end
function fixed_window.decode(policy, state, body)
if body == '' then
state.start, state.count = 0, 0
return true
end
local packed = tonumber(body)
if packed and is_whole(packed) then
local scale = fixed_window_scale(policy.window)
local number = floor(packed / scale)
state.start, state.count = number * policy.window, packed - number * scale
return true
end
if #body ~= 16 then return false end
state.start, state.count = unpack('>dd', body)
return is_whole(state.start) and is_whole(state.count)
end
function fixed_window.encode(policy, state)
local scale = fixed_window_scale(policy.window)
local packed = state.start / policy.window * scale
if state.count < scale / 2 and packed + scale <= 9007199254740992 then
return format('%d', packed + state.count)
end
return pack('>dd', state.start, state.count)
end
function fixed_window.read(policy, state, now)
local window = policy.window
local elapsed = now - state.start
if elapsed < window and elapsed >= -window then
state.time = elapsed < 0 and state.start or now
state.used = state.count
else
state.time = now
state.start = floor(now / window) * window
state.used = 0
end
end
function fixed_window.report(policy, state)
emit(state.used)
end
function fixed_window.admits(policy, state, cost)
return state.used + cost <= policy.limit
end
function fixed_window.take(policy, state, cost)
state.used = state.used + cost
end
function fixed_window.owe(policy, state, cost)
state.used = min(state.used + cost, MAX_COUNT)
end
function fixed_window.write(policy, state)
state.count = state.used
end
function fixed_window.refund(policy, state, now, receipt, cost)
local elapsed = now - state.start
if state.start ~= receipt or elapsed >= policy.window or elapsed < -policy.window then return false end
state.count = max(0, state.count - cost)
return true
end
function fixed_window.inspect(policy, state)
emit(state.start)
emit(state.count)
end
local function report_block(state)
if state.blocked_until <= now then return end
emit_mark(0x23)
emit(state.blocked_until - now)
end
local function report(state, cost)
if state.time > now then
emit_mark(0x22)
emit(state.time - now)
end
report_block(state)
state.policy.algorithm.report(state.policy, state, cost)
end
local function ask(state, cost)
local policy = state.policy
local failure = policy.algorithm.load(state)
state.failed = failure ~= nil
if failure then
emit_failure(failure)
return false
end
policy.algorithm.read(policy, state, now)
report(state, cost)
if state.blocked_until > now then return false end
return cost == 0 or policy.algorithm.admits(policy, state, cost)
end
local function charge(state, cost)
local policy = state.policy
policy.algorithm.take(policy, state, cost)
policy.algorithm.write(policy, state)
policy.algorithm.save(state)
end
local algorithm = fixed_window
local capacity, span = limit, window
local state = {
policy = { algorithm = algorithm, capacity = capacity, limit = limit, window = window, span = span, ttl = ttl },
}
local function consume_one(key)
state.key = key
if ask(state, cost) then
charge(state, cost)
elseif not state.failed then
heal(state)
end
end
consume = consume_one
end
consume(key)
end
end
local text = came .. ' ' .. rest .. ' ' .. string.char(values(out, 1, size < 4000 and size or 4000))
for first = 4001, size, 4000 do
local last = first + 3999
text = text .. string.char(values(out, first, last < size and last or size))
end
return text`,
};


export const consumeGcraScript: Script = {
  sha1: "b923ad6177cffdd780b712ed0cf254bf7a11ee71",
  lua: `local limit, window, most, ttl, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3] + 0, ARGV[4], ARGV[6]
local increment_text = ARGV[5] or ARGV[2]
local increment = increment_text + 0
local now, came, rest
if clock then
now, came, rest = clock + 0, clock, ''
else
local time = redis.call('TIME')
came, rest = time[1], time[2]
local micros = rest + 0
now = came * 1000 + (micros - micros % 1000) / 1000
end
local out, size, values = {}, 0, unpack
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
if not string.find(moved.err, 'integer', 1, true) and not string.find(moved.err, 'overflow', 1, true)
and not string.find(moved.err, 'WRONGTYPE', 1, true) then
redis.call('INCRBY', key, increment_of_key)
end
else
local used = moved - base
if used <= increment then
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
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
end
if not usual then
if not consume then
local function emit(number)
if not (number >= 0 and number <= 9007199254740992) then number = 0 end
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
local function emit_mark(mark)
size = size + 1
out[size] = mark
end
local function emit_failure(text)
text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
emit_mark(0x21)
emit(#text)
for i = 1, #text do emit_mark(string.byte(text, i)) end
end
local floor, max, min = math.floor, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
local MAX_COUNT = 2251799813685248
local function is_whole(number)
return number >= 0 and number <= 9007199254740992 and number % 1 == 0
end
local function with_block(state, body)
if state.blocked_until == 0 then return body end
return 'b' .. pack('>d', state.blocked_until) .. body
end
local function lifetime(state)
local blocked = state.blocked_until - now
if blocked <= tonumber(state.policy.ttl) then return state.policy.ttl end
return format('%d', blocked)
end
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
local function save_keeping_ttl(state)
redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'KEEPTTL')
end
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
local function heal(state)
local left = redis.call('PTTL', state.key)
if left == -1 or (left >= 0 and state.cell_used and left * state.policy.limit < state.used) then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local gcra = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
local function used_at(policy, arrival, now)
local used = arrival - now * policy.limit
return used > 0 and used <= 3 * policy.capacity * policy.window and used or 0
end
function gcra.decode(policy, state, body)
state.arrival = body == '' and 0 or tonumber(body)
return state.arrival ~= nil and is_whole(state.arrival)
end
function gcra.encode(policy, state)
return format('%d', state.arrival)
end
function gcra.read(policy, state, now)
state.time = now
state.used = used_at(policy, state.arrival, now)
end
function gcra.report(policy, state)
emit(state.used)
end
function gcra.admits(policy, state, cost)
return cost <= policy.capacity and state.used + cost * policy.window <= policy.capacity * policy.window
end
function gcra.take(policy, state, cost)
state.used = state.used + cost * policy.window
end
function gcra.owe(policy, state, cost)
local owed = min(state.used + cost * policy.window, 2 * policy.capacity * policy.window)
state.used = max(state.used, owed)
end
function gcra.write(policy, state)
state.arrival = state.time * policy.limit + state.used
end
function gcra.refund(policy, state, now, receipt, cost)
if now - receipt >= policy.span then return false end
state.arrival = state.arrival - min(used_at(policy, state.arrival, now), cost * policy.window)
return true
end
function gcra.inspect(policy, state)
emit(state.arrival)
end
local function report_block(state)
if state.blocked_until <= now then return end
emit_mark(0x23)
emit(state.blocked_until - now)
end
local function report(state, cost)
if state.time > now then
emit_mark(0x22)
emit(state.time - now)
end
report_block(state)
state.policy.algorithm.report(state.policy, state, cost)
end
local function ask(state, cost)
local policy = state.policy
local failure = policy.algorithm.load(state)
state.failed = failure ~= nil
if failure then
emit_failure(failure)
return false
end
policy.algorithm.read(policy, state, now)
report(state, cost)
if state.blocked_until > now then return false end
return cost == 0 or policy.algorithm.admits(policy, state, cost)
end
local function charge(state, cost)
local policy = state.policy
policy.algorithm.take(policy, state, cost)
policy.algorithm.write(policy, state)
policy.algorithm.save(state)
end
local algorithm = gcra
local capacity, cost, span = most / window, increment / window
local state = {
policy = { algorithm = algorithm, capacity = capacity, limit = limit, window = window, span = span, ttl = ttl },
}
local function consume_one(key)
state.key = key
if ask(state, cost) then
charge(state, cost)
elseif not state.failed then
heal(state)
end
end
consume = consume_one
end
consume(key)
end
end
local text = came .. ' ' .. rest .. ' ' .. string.char(values(out, 1, size < 4000 and size or 4000))
for first = 4001, size, 4000 do
local last = first + 3999
text = text .. string.char(values(out, first, last < size and last or size))
end
return text`,
};


export const consumeSlidingWindowCounterScript: Script = {
  sha1: "524c1efd01e8173384b4a98a3fe23874afd4de60",
  lua: `local limit, window, ttl, cost_text, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3], ARGV[4] or '1', ARGV[5]
local cost = cost_text + 0
local now, came, rest
if clock then
now, came, rest = clock + 0, clock, ''
else
local time = redis.call('TIME')
came, rest = time[1], time[2]
local micros = rest + 0
now = came * 1000 + (micros - micros % 1000) / 1000
end
local out, size, values = {}, 0, unpack
local keys, call, attempt, kind = KEYS, redis.call, redis.pcall, type
local scale = math.sqrt(9007199254740992 / (4398046511104 / window + 1))
scale = scale - scale % 1
local elapsed = now % window
local left = window - elapsed
local base = (now - elapsed) / window * scale * scale
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
if not string.find(moved.err, 'integer', 1, true) and not string.find(moved.err, 'overflow', 1, true)
and not string.find(moved.err, 'WRONGTYPE', 1, true) then
redis.call('INCRBY', key, increment_of_key)
end
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
fresh = fresh or string.format('%d', base + cost)
call('SET', key, fresh, 'PX', ttl)
previous, current = 0, cost
elseif current > room or current < cost or current >= half or previous >= scale then
call('DECRBY', key, cost_text)
usual = false
elseif call('PTTL', key) < 0 then
call('PEXPIRE', key, ttl)
end
if usual and previous > 0 then
size = size + 1
out[size] = 0x24
local number = previous
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
if usual then
local number = current - cost
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
end
if not usual then
if not consume then
local function emit(number)
if not (number >= 0 and number <= 9007199254740992) then number = 0 end
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
local function emit_mark(mark)
size = size + 1
out[size] = mark
end
local function emit_failure(text)
text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
emit_mark(0x21)
emit(#text)
for i = 1, #text do emit_mark(string.byte(text, i)) end
end
local floor, max, min = math.floor, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
local MAX_COUNT = 2251799813685248
local function is_whole(number)
return number >= 0 and number <= 9007199254740992 and number % 1 == 0
end
local function with_block(state, body)
if state.blocked_until == 0 then return body end
return 'b' .. pack('>d', state.blocked_until) .. body
end
local function lifetime(state)
local blocked = state.blocked_until - now
if blocked <= tonumber(state.policy.ttl) then return state.policy.ttl end
return format('%d', blocked)
end
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
local function save_keeping_ttl(state)
redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'KEEPTTL')
end
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
local function heal(state)
local left = redis.call('PTTL', state.key)
if left == -1 or (left >= 0 and state.cell_used and left * state.policy.limit < state.used) then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local function multiply_divide(a, b, c)
local product = a * b
if product < 9007199254740992 then return floor(product / c) end
local quotient, remainder, unit = 0, 0, 17592186044416
while unit >= 1 do
local digit = floor(a / unit) % 2048
local dividend = remainder * 2048 + digit * b
local quotient_digit = floor(dividend / c)
quotient = quotient * 2048 + quotient_digit
remainder = dividend - quotient_digit * c
unit = unit / 2048
end
return quotient
end
local sliding_window_counter = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }
local function sliding_window_counter_scale(window)
return floor(math.sqrt(9007199254740992 / (4398046511104 / window + 1)))
end
function sliding_window_counter.decode(policy, state, body)
if body == '' then
state.cell_start, state.cell_current, state.cell_previous = 0, 0, 0
return true
end
local packed = tonumber(body)
if packed and is_whole(packed) then
local scale = sliding_window_counter_scale(policy.window)
local upper = floor(packed / scale)
local number = floor(upper / scale)
state.cell_start = number * policy.window
state.cell_current = packed - upper * scale
state.cell_previous = upper - number * scale
return true
end
if #body ~= 24 then return false end
state.cell_start, state.cell_current, state.cell_previous = unpack('>ddd', body)
return is_whole(state.cell_start) and is_whole(state.cell_current) and is_whole(state.cell_previous)
end
function sliding_window_counter.encode(policy, state)
local scale = sliding_window_counter_scale(policy.window)
local packed = state.cell_start / policy.window * scale * scale
if state.cell_current < scale / 2 and state.cell_previous < scale and packed + scale * scale <= 9007199254740992 then
return format('%d', packed + state.cell_previous * scale + state.cell_current)
end
return pack('>ddd', state.cell_start, state.cell_current, state.cell_previous)
end
function sliding_window_counter.read(policy, state, now)
local window = policy.window
local start = state.cell_start
local elapsed = now - start
if elapsed < window and elapsed >= -window then
state.time = elapsed < 0 and start or now
state.start = start
state.current = state.cell_current
state.previous = state.cell_previous
elseif elapsed >= window and elapsed < 2 * window then
state.time = now
state.start = start + window
state.current = 0
state.previous = state.cell_current
else
state.time = now
state.start = floor(now / window) * window
state.current = 0
state.previous = 0
end
local left = state.start + window - state.time
state.used = state.current + (state.previous == 0 and 0 or multiply_divide(state.previous, left, window))
end
function sliding_window_counter.report(policy, state)
if state.previous > 0 then
emit_mark(0x24)
emit(state.previous)
end
emit(state.current)
end
function sliding_window_counter.admits(policy, state, cost)
return state.used + cost <= policy.limit
end
function sliding_window_counter.take(policy, state, cost)
state.current = state.current + cost
state.used = state.used + cost
end
function sliding_window_counter.owe(policy, state, cost)
local owed = min(cost, MAX_COUNT - state.current)
state.current = state.current + owed
state.used = state.used + owed
end
function sliding_window_counter.write(policy, state)
state.cell_start = state.start
state.cell_current = state.current
state.cell_previous = state.previous
end
function sliding_window_counter.refund(policy, state, now, receipt, cost)
local window = policy.window
local start = state.cell_start
if start - now > window or now >= receipt + 2 * window then return false end
if receipt == start then
state.cell_current = max(0, state.cell_current - cost)
elseif receipt == start - window then
state.cell_previous = max(0, state.cell_previous - cost)
else
return false
end
return true
end
function sliding_window_counter.inspect(policy, state)
emit(state.cell_start)
emit(state.cell_current)
emit(state.cell_previous)
end
local function report_block(state)
if state.blocked_until <= now then return end
emit_mark(0x23)
emit(state.blocked_until - now)
end
local function report(state, cost)
if state.time > now then
emit_mark(0x22)
emit(state.time - now)
end
report_block(state)
state.policy.algorithm.report(state.policy, state, cost)
end
local function ask(state, cost)
local policy = state.policy
local failure = policy.algorithm.load(state)
state.failed = failure ~= nil
if failure then
emit_failure(failure)
return false
end
policy.algorithm.read(policy, state, now)
report(state, cost)
if state.blocked_until > now then return false end
return cost == 0 or policy.algorithm.admits(policy, state, cost)
end
local function charge(state, cost)
local policy = state.policy
policy.algorithm.take(policy, state, cost)
policy.algorithm.write(policy, state)
policy.algorithm.save(state)
end
local algorithm = sliding_window_counter
local capacity, span = limit, window
local state = {
policy = { algorithm = algorithm, capacity = capacity, limit = limit, window = window, span = span, ttl = ttl },
}
local function consume_one(key)
state.key = key
if ask(state, cost) then
charge(state, cost)
elseif not state.failed then
heal(state)
end
end
consume = consume_one
end
consume(key)
end
end
local text = came .. ' ' .. rest .. ' ' .. string.char(values(out, 1, size < 4000 and size or 4000))
for first = 4001, size, 4000 do
local last = first + 3999
text = text .. string.char(values(out, first, last < size and last or size))
end
return text`,
};


export const consumeSlidingWindowLogScript: Script = {
  sha1: "fb4862eca06795169502ca4060ae92f3200cc905",
  lua: `local limit, window, ttl, cost_text, clock = ARGV[1] + 0, ARGV[2] + 0, ARGV[3], ARGV[4] or '1', ARGV[5]
local cost = cost_text + 0
local capacity, span = limit, window
local now, came, rest
if clock then
now, came, rest = clock + 0, clock, ''
else
local time = redis.call('TIME')
came, rest = time[1], time[2]
local micros = rest + 0
now = came * 1000 + (micros - micros % 1000) / 1000
end
local out, size, values = {}, 0, unpack
local function emit(number)
if not (number >= 0 and number <= 9007199254740992) then number = 0 end
while number >= 44 do
local digit = number % 44
size = size + 1
out[size] = 81 + digit
number = (number - digit) / 44
end
size = size + 1
out[size] = 37 + number
end
local function emit_mark(mark)
size = size + 1
out[size] = mark
end
local function emit_failure(text)
text = string.gsub(string.sub(text, 1, 200), '[^ -~]', '?')
emit_mark(0x21)
emit(#text)
for i = 1, #text do emit_mark(string.byte(text, i)) end
end
local floor, max, min = math.floor, math.max, math.min
local pack, unpack, format, byte, sub = struct.pack, struct.unpack, string.format, string.byte, string.sub
local BLOCKED = byte('b')
local MAX_COUNT = 2251799813685248
local function is_whole(number)
return number >= 0 and number <= 9007199254740992 and number % 1 == 0
end
local function with_block(state, body)
if state.blocked_until == 0 then return body end
return 'b' .. pack('>d', state.blocked_until) .. body
end
local function lifetime(state)
local blocked = state.blocked_until - now
if blocked <= tonumber(state.policy.ttl) then return state.policy.ttl end
return format('%d', blocked)
end
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
local function save_keeping_ttl(state)
redis.call('SET', state.key, with_block(state, state.policy.algorithm.encode(state.policy, state)), 'KEEPTTL')
end
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
local function heal(state)
local left = redis.call('PTTL', state.key)
if left == -1 or (left >= 0 and state.cell_used and left * state.policy.limit < state.used) then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local HEADER, CHUNK, LAST_OF_CHUNK, MAX_SUM = 24, 1024, '1023', 4503599627370496
local function log_double(state, offset)
local chunk = state.chunk
if offset + 8 <= #chunk then return (unpack('>d', chunk, offset + 1)) end
return (unpack('>d', redis.call('GETRANGE', state.key, offset, offset + 7)))
end
local function is_empty(state)
return state.head == state.last
end
local function units_before(state, entry)
return state.last == 0 and 0 or log_double(state, 16 + 16 * entry)
end
local function time_of(state, entry)
return log_double(state, 24 + 16 * entry)
end
local function mark(state)
return is_empty(state) and 0 or time_of(state, state.last - 1)
end
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
local function time_of_unit(state, first, nth)
local sum = units_before(state, first) + nth
local low, high = first, state.last - 1
while low < high do
local middle = floor((low + high) / 2)
if units_before(state, middle + 1) >= sum then high = middle else low = middle + 1 end
end
return time_of(state, low)
end
local function log_bytes(state, from, to)
if to <= #state.chunk then return sub(state.chunk, from + 1, to) end
return redis.call('GETRANGE', state.key, from, to - 1)
end
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
local function log_touch(state)
if redis.call('PTTL', state.key) < 2 * state.policy.window then
redis.call('PEXPIRE', state.key, lifetime(state))
end
end
local function append(state, first, time, used)
local last = state.last - 1
if first > last then
local only = pack('>ddddd', state.blocked_until, 0, 0, time, used)
return redis.call('SET', state.key, only, 'PX', lifetime(state))
end
local before = units_before(state, first)
if first > state.last / 2 or before + used > MAX_SUM then
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
local sliding_window_log = {}
function sliding_window_log.load(state)
local chunk = redis.pcall('GETRANGE', state.key, '0', LAST_OF_CHUNK)
if type(chunk) == 'table' then
if string.find(chunk.err, 'WRONGTYPE', 1, true) then return chunk.err end
redis.call('GETRANGE', state.key, '0', LAST_OF_CHUNK)
end
state.chunk, state.size = chunk, #chunk
state.blocked_until, state.head, state.last = 0, 0, 0
state.exists = chunk ~= ''
if not state.exists then return end
if state.size == CHUNK then state.size = redis.call('STRLEN', state.key) end
state.last = (state.size - HEADER) / 16
if state.last < 0 or state.last % 1 ~= 0 then return 'is not a state' end
state.blocked_until, state.head = unpack('>dd', chunk)
if not is_whole(state.blocked_until) or not is_whole(state.head) or state.head > state.last then return 'is not a state' end
end
function sliding_window_log.read(policy, state, now)
local last = state.last
local mark = mark(state)
state.mark = mark
state.time = now
state.first = last
state.used = 0
if mark <= now - policy.window or mark - now > policy.window or is_empty(state) then return end
state.time = max(now, mark)
state.first = first_after(state, state.time - policy.window)
state.used = units_before(state, last) - units_before(state, state.first)
end
function sliding_window_log.report(policy, state, cost)
emit(state.used)
if state.used == 0 then return end
emit(state.time - state.mark)
local surplus = state.used + cost - policy.limit
if cost > 0 and cost <= policy.limit and surplus > 0 then
emit(state.time - time_of_unit(state, state.first, surplus))
end
end
function sliding_window_log.admits(policy, state, cost)
return state.used + cost <= policy.limit
end
function sliding_window_log.take(policy, state, cost)
state.used = state.used + cost
end
function sliding_window_log.owe(policy, state, cost)
state.used = min(state.used + cost, MAX_COUNT)
end
function sliding_window_log.write() end
function sliding_window_log.save(state)
append(state, state.first, state.time, state.used)
end
function sliding_window_log.refund(policy, state, now, receipt, cost)
local mark = mark(state)
if is_empty(state) or mark - now > policy.window or receipt <= max(now, mark) - policy.window then return false end
give_back(state, receipt, cost)
sliding_window_log.load(state)
return false
end
function sliding_window_log.block(state, blocked_until)
if blocked_until > 0 then
local ttl = max(redis.call('PTTL', state.key), blocked_until - now, tonumber(state.policy.ttl))
redis.call('SETRANGE', state.key, 0, state.exists and pack('>d', blocked_until) or pack('>ddd', blocked_until, 0, 0))
redis.call('PEXPIRE', state.key, format('%d', ttl))
elseif not is_empty(state) then
redis.call('SETRANGE', state.key, 0, pack('>d', 0))
elseif state.exists then
redis.call('DEL', state.key)
end
end
function sliding_window_log.inspect(policy, state, now)
sliding_window_log.read(policy, state, now)
emit(state.used)
emit(state.last - state.first)
emit(state.mark)
end
local function report_block(state)
if state.blocked_until <= now then return end
emit_mark(0x23)
emit(state.blocked_until - now)
end
local function report(state, cost)
if state.time > now then
emit_mark(0x22)
emit(state.time - now)
end
report_block(state)
state.policy.algorithm.report(state.policy, state, cost)
end
local function ask(state, cost)
local policy = state.policy
local failure = policy.algorithm.load(state)
state.failed = failure ~= nil
if failure then
emit_failure(failure)
return false
end
policy.algorithm.read(policy, state, now)
report(state, cost)
if state.blocked_until > now then return false end
return cost == 0 or policy.algorithm.admits(policy, state, cost)
end
local function charge(state, cost)
local policy = state.policy
policy.algorithm.take(policy, state, cost)
policy.algorithm.write(policy, state)
policy.algorithm.save(state)
end
local algorithm = sliding_window_log
local state = {
policy = { algorithm = algorithm, capacity = capacity, limit = limit, window = window, span = span, ttl = ttl },
}
local function consume_one(key)
state.key = key
if ask(state, cost) then
charge(state, cost)
elseif not state.failed then
heal(state)
end
end
for i = 1, #KEYS do consume_one(KEYS[i]) end
local text = came .. ' ' .. rest .. ' ' .. string.char(values(out, 1, size < 4000 and size or 4000))
for first = 4001, size, 4000 do
local last = first + 3999
text = text .. string.char(values(out, first, last < size and last or size))
end
return text`,
};
