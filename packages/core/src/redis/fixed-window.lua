-- Twin of algorithms/fixed-window.ts: same names, same order. Change both or neither.
--
-- Body: number of the window * scale + count, a decimal number that INCRBY moves; where the count is
-- too large for that, two doubles (start, count).
local fixed_window = { load = load, save = save, save_keeping_ttl = save_keeping_ttl, block = block }

-- How far the number of a window is shifted: below 2^53 until the year 2109.
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

-- Whether there was anything to change.
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
