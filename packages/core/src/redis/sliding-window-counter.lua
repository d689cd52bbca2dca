-- Twin of algorithms/sliding-window-counter.ts: same names, same order. Change both or neither.
--
-- Body: (number of the window * scale + previous) * scale + current, a decimal number that INCRBY
-- moves; where the counts are too large for that, three doubles (start, current, previous).
local sliding_window_counter = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }

-- Room for each of the two counts beside the number of the window: below 2^53 until the year 2109.
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

-- Without a previous window one number says it all.
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

-- Whether there was anything to change.
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
