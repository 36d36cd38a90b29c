import { describe, expect, it } from "vitest";
import { withoutSecrets } from "./secrets.js";

describe("withoutSecrets", () => {
  it("leaves no password of a connection string", () => {
    expect(withoutSecrets("cannot reach postgres://me:p4ss:word@db.example:5432/x?a=b")).toBe(
      "cannot reach postgres://me***@db.example:5432/x?a=b",
    );
    expect(withoutSecrets("https://default:top%20secret@ch:8443 and ftp://u:v@w")).toBe(
      "https://default***@ch:8443 and ftp://u***@w",
    );
    expect(withoutSecrets("http://host:8123/path has no password")).toBe(
      "http://host:8123/path has no password",
    );
  });

  it("leaves no password of settings", () => {
    expect(withoutSecrets("host=db password=hunter2 user=me")).toBe("host=db password=*** user=me");
    expect(withoutSecrets("OPTIONS (user 'me', password: 'a b', token=\"x y\")")).toBe(
      "OPTIONS (user 'me', password: ***, token=***)",
    );
    expect(withoutSecrets('password authentication failed for user "me"')).toBe(
      'password authentication failed for user "me"',
    );
  });

  it("leaves nothing of what is known to be secret", () => {
    expect(withoutSecrets("the server said correcthorse", ["correcthorse", "ab", undefined])).toBe(
      "the server said ***",
    );
  });
});
