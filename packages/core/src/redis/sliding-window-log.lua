-- Twin of algorithms/sliding-window-log.ts: same names, same order. Change both or neither.
-- It keeps its state itself, as log-entries.lua says, and touches no more of it than it must.
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

-- How old the newest entry is; and of a denial, how old that which must go first.
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

-- Writes at once, without extending the key's life; so there is nothing left to save.
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
