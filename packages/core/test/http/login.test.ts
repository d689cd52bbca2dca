import { ip } from "../../src/identity/ip.ts";
import { normalizeIdentifier } from "../../src/identity/normalize-identifier.ts";
import { user } from "../../src/identity/user.ts";
import { FakeExchange, type Asked } from "./fake-exchange.ts";
import { limit, read, type Served } from "./serve.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";

/** The recipe of docs/login.md: the network before the body is parsed, the account after it. */
function loginForm() {
  const clock = manualClock();
  const network = limit({ name: "network", limit: "20/minute", key: ip({ ipv6Prefix: 56 }) }, clock);
  const account = limit(
    { name: "account", limit: "5/15m", key: user((request) => normalizeIdentifier(String(request.user?.id))) },
    clock,
  );
  const attempt = async (email: string, from: Asked = {}): Promise<Served> => {
    const exchange = new FakeExchange({ ...from, user: { id: email } });
    const first = read(exchange, await network.http.meet(exchange, exchange));
    return first.status === 200 ? read(exchange, await account.http.meet(exchange, exchange)) : first;
  };
  return { clock, attempt };
}

const from = (index: number): Asked => ({ ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` });
const admitted = (all: readonly Served[]) => all.filter(({ status }) => status === 200).length;

describe("guessing passwords", () => {
  test("of one account from a botnet ends after five guesses, however the name is spelt", async () => {
    const { attempt } = loginForm();
    const spellings = [
      "ana@example.org",
      "Ana@Example.org",
      " ana@example.org",
      "ａna@example.org",
      "ana@exam\u00adple.org",
    ];
    const guesses: Served[] = [];
    for (let bot = 0; bot < 1_000; bot++)
      guesses.push(await attempt(spellings[bot % spellings.length] as string, from(bot)));
    expect(admitted(guesses)).toBe(5);
  });

  test("of many accounts from one network ends after twenty", async () => {
    const { attempt } = loginForm();
    const guesses: Served[] = [];
    for (let index = 0; index < 1_000; index++) {
      // One /56, as homes have it: 256 networks of their own.
      guesses.push(await attempt(`user${index}@example.org`, { ip: `2001:db8:1:${(index & 255).toString(16)}::1` }));
    }
    expect(admitted(guesses)).toBe(20);
  });

  test("looks the same whether an account exists or not", async () => {
    const { attempt } = loginForm();
    const [known, unknown]: [Served[], Served[]] = [[], []];
    for (let index = 0; index < 7; index++) {
      known.push(await attempt("ana@example.org", from(index)));
      unknown.push(await attempt("nobody@example.org", from(100 + index)));
    }
    const seen = (all: readonly Served[]) =>
      all.map(({ status, body, exchange }) => ({ status, body, headers: [...exchange.sent] }));
    expect(seen(known)).toEqual(seen(unknown));
  });

  test("keeps the owner out for no longer than the window", async () => {
    const { attempt, clock } = loginForm();
    for (let bot = 0; bot < 10; bot++) await attempt("ana@example.org", from(bot));
    const refused = await attempt("ana@example.org", from(5_000));
    expect(refused.status).toBe(429);
    expect(Number(refused.header("retry-after"))).toBeLessThanOrEqual(15 * 60 + 3 * 60);
    clock.advance(Number(refused.header("retry-after")) * 1_000);
    expect((await attempt("ana@example.org", from(5_000))).status).toBe(200);
  });
});
