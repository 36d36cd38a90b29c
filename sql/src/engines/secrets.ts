/** Passwords in connection strings, and the word behind `password =`. */
const secrets = [
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s/]*(?=@)/gi,
  /(?<=\b(?:password|passwd|pwd|secret|token)\s*[=:]\s*)(?:'[^']*'|"[^"]*"|[^\s&;,)]+)/gi,
];

/** A message without credentials, and without those that are named. */
export function withoutSecrets(message: string, known: readonly unknown[] = []): string {
  const masked = secrets.reduce((text, secret) => text.replace(secret, "***"), message);
  const words = known.filter((word): word is string => typeof word === "string" && word.length > 3);
  return words.reduce((text, word) => text.replaceAll(word, "***"), masked);
}
