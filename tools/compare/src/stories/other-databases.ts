import { NotOffered, story, type Stage } from "../story.ts";

const DATABASES = [
  "Memcache",
  "Mongo",
  "MySQL",
  "Postgres",
  "SQLite",
  "Dynamo",
  "Etcd",
  "Prisma",
  "Drizzle",
  "Unstorage",
];

export const otherDatabases = story({
  id: "other-databases",
  title: "Counts in a database that is not Redis",
  why: "Whoever has a database already may not want a Redis for the limiter alone. Third-party packages are not looked at.",
  stores: ["memory"],
  async play(stage: Stage) {
    const modules = await Promise.all(stage.packages.map(async (name) => (await import(name)) as object));
    const exported = modules.flatMap((module) => Object.keys(module)).join(" ");
    const found = DATABASES.filter((name) => exported.includes(name));
    if (found.length === 0) throw new NotOffered("ships none");
    return found;
  },
  isRight: (found) => found.length > 0,
  tell: (found) => `ships ${found.join(", ")}`,
});
