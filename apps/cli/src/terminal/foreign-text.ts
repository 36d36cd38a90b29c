/**
 * Text of files and requests (names of columns, cells, labels, errors that quote them) as it may stand in a terminal. Control
 * characters would command it (move the cursor, set its title, run what it pastes), and marks of direction would show other text than
 * is there. All output goes through here: `terminal.ts` and `data/write.ts` are the only files that write.
 */

/** C0 without line feed and tab, DEL, C1; marks and overrides of direction; breaks of lines and paragraphs; spaces without width. */
const COMMANDS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const DELETE = 0x7f;
/** Unicode's pictures of the control characters. */
const PICTURES = 0x2400;
const PICTURE_OF_DELETE = "\u2421";
const UNKNOWN = "\ufffd";

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  return code === DELETE ? PICTURE_OF_DELETE : UNKNOWN;
}

/** The text with pictures in the place of what would command a terminal; lines and tabs stay. Every character stays one. */
export const safeText = (text: string): string => text.replaceAll(COMMANDS, picture);

/** The same for what must stay on its line. */
export const safeLine = (text: string): string => safeText(text).replaceAll(/[\n\t]/g, picture);

/** JSON that means the same, with such characters as `\u009b`. JSON itself escapes those below U+0020 only. */
export const safeJson = (json: string): string =>
  json.replaceAll(COMMANDS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
