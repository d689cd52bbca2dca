-- Decides all requests of one batch, in order.
--
-- KEYS     the keys of all checks of all requests, in order
-- ARGV[1]  now in ms, or '' to read the server's clock
-- ARGV[2]  number of plans; ARGV[3...] the plans: a verb, then for each check of such a request
--          algorithm capacity limit window span ttl cost shadow
-- then     runs: pairs of a plan's number and how many requests in a row follow it
-- then     what the requests of some verbs bring along (see below), in order
-- Reply    now, then for each request what its verb reports

local clock = ARGV[1] ~= '' and ARGV[1]
-- @include now.lua
-- @include emit.lua
-- @include state.lua
-- @include fixed-window.lua
-- @include log-entries.lua
-- @include sliding-window-log.lua
-- @include multiply-divide.lua
-- @include sliding-window-counter.lua
-- @include bucket.lua
-- @include token-bucket.lua
-- @include gcra.lua
-- @include leaky-bucket.lua
-- @include decide.lua

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

-- Gives each state its numbers, and leaves them where a refund changed nothing.
local function refund(state, receipt, cost)
  local policy = state.policy
  if not state.exists or not policy.algorithm.refund(policy, state, now, receipt, cost) then return end
  policy.algorithm.save_keeping_ttl(state)
end

local verbs = {}

-- All enforced checks are charged, or none is; a shadow check is charged when it alone admits.
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

-- Each check brings its earlier charge (0 for none) and the receipt of it.
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

-- Reports what the states are afterwards.
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

-- Changes each state by itself; answers 0, or why one could not be read.
local function each(states, change)
  local failure
  for _, state in ipairs(states) do
    local failed = state.policy.algorithm.load(state)
    if failed then failure = failed else change(state) end
  end
  if failure then emit_failure(failure) else emit(0) end
end

-- Each check brings what to give back and the receipt of the charge.
function verbs.refund(states)
  for _, state in ipairs(states) do state.back, state.receipt = next_extra(), next_extra() end
  each(states, function(state) refund(state, state.receipt, state.back) end)
end

function verbs.reset(states)
  for _, state in ipairs(states) do redis.call('DEL', state.key) end
  emit(0)
end

-- Each check brings the ms for which to block, 0 to lift a block.
function verbs.block(states)
  for _, state in ipairs(states) do state.block_ms = next_extra() end
  each(states, function(state)
    state.policy.algorithm.block(state, state.block_ms > 0 and now + state.block_ms or 0)
  end)
end

-- Reports the cells themselves.
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
-- @include reply.lua
