import { requireFunction } from "../domain/options.ts";
import { isThenable } from "./guard.ts";
import type { KeyExtractor, KeyFunction } from "./key-source.ts";
import { requireKeyText } from "./key-text.ts";
import { prepareFunction } from "./prepare.ts";
import type { Id, RequestView } from "./request-view.ts";

/** Requests without a user after which a limiter says that it probably runs before authentication. */
const UNRESOLVED_REQUESTS = 1_000;
const RESOLVES = -1;

/** Names the key of a user, for what is done by hand: `limiter.reset(user.key("42"))`. */
export interface UserKeys {
  key(id: Id | readonly Id[]): string;
}

function createUser<Raw = unknown>(id: KeyFunction<Raw> = customaryUser): KeyExtractor<Raw> {
  requireFunction("user()", id);
  return {
    kind: "user",
    prepare(context) {
      const read = prepareFunction("user", id, context);
      let unresolved = 0;
      const note = (key: string | undefined): string | undefined => {
        if (unresolved < 0) return key;
        if (key !== undefined) unresolved = RESOLVES;
        else if (++unresolved === UNRESOLVED_REQUESTS) {
          unresolved = RESOLVES;
          context.warn(
            "AFORO_USER_UNRESOLVED",
            `user() of limiter "${context.limiter}" found no user in its first ${UNRESOLVED_REQUESTS} requests: the limiter probably runs before authentication`,
          );
        }
        return key;
      };
      return (request) => {
        const key = read(request);
        if (unresolved < 0) return key;
        return isThenable(key) ? key.then(note) : note(key);
      };
    },
  };
}

/**
 * Counts by the authenticated user.
 *
 * @param id - names the user of a request. Left out, the user that an authentication left where the framework
 * customarily has it: its `id`, else its `sub`.
 */
export const user: (<Raw = unknown>(id?: KeyFunction<Raw>) => KeyExtractor<Raw>) & UserKeys = Object.assign(
  createUser,
  {
    key: (id: Id | readonly Id[]) => `user:${requireKeyText(id)}`,
  },
);

/** The user where the framework has one; not having any is ordinary, so this one never warns. */
export const customaryUserKey: KeyExtractor = {
  kind: "user",
  prepare(context) {
    const read = prepareFunction("user", customaryUser, context);
    return (request) => (request.user === undefined ? undefined : read(request));
  },
};

function customaryUser({ user }: RequestView): Id | null | undefined {
  // Some authentications leave the id itself.
  if (typeof user !== "object" || user === null) return user;
  return user.id ?? user.sub;
}
