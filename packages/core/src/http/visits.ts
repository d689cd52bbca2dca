/**
 * Where limiters remember, on the framework's request, what they made of it. Frameworks that shape their requests
 * beforehand may declare it there (initially `undefined`), which spares a hidden-class change for each request.
 */
export const VISITS: unique symbol = Symbol("aforo.visits");
