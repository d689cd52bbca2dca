import { createHash, createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** 256 bits in 43 characters. UTF-16, since UTF-8 would make all lone surrogates one. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf16le").digest("base64url");
}

/** A secret, ready for use. */
export function secretKey(secret: string): KeyObject {
  return createSecretKey(secret, "utf8");
}

export function hmac(secret: KeyObject, text: string): Buffer {
  return createHmac("sha256", secret).update(text, "utf16le").digest();
}
