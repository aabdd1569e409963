/** Titles where room is short: how wide they are, where they may be broken, and which way they run. */

const LETTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });
const PLAIN = /^[\x20-\x7e]*$/;
const JOINED = /[\p{M}\u200d\u1100-\u11ff\u{10000}-\u{10ffff}]/u; // what may be one letter with what stands before it
const WIDE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{Emoji_Presentation}\uff01-\uff60]/u;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{Emoji_Presentation}]/u;
const LEFTWARD = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;

/** Return how many columns `text` takes: what stands for a syllable or a word, and an emoji, is as wide as two letters. */
export function columns(text) {
  if (PLAIN.test(text)) return text.length;
  const letters = JOINED.test(text) ? Array.from(LETTERS.segment(text), ({ segment }) => segment) : [...text];
  return letters.reduce((sum, each) => sum + (WIDE.test(each) ? 2 : 1), 0);
}

/** Return `text` in at most `most` columns. No letter is cut from its marks, and no emoji in two. */
export function shortened(text, most) {
  if (columns(text) <= most) return text;
  let [kept, sum] = ["", 0];
  for (const { segment } of LETTERS.segment(text)) {
    sum += columns(segment);
    if (sum >= most) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Return a title in `count` lines of `most` columns each, or fewer; what does not fit is cut. */
export function wrapped(title, most, count) {
  const lines = [""];
  for (const { piece, gap } of pieces(title)) {
    const line = lines.at(-1);
    if (!line) lines[lines.length - 1] = shortened(piece, most);
    else if (columns(line) + gap.length + columns(piece) <= most) lines[lines.length - 1] = `${line}${gap}${piece}`;
    else if (lines.length === count) {
      lines[lines.length - 1] = shortened(`${line}…`, most);
      break;
    } else lines.push(shortened(piece, most));
  }
  return lines;
}

/** Return what of a title stays together, each with the `gap` before it: words, also those that have no space between. */
function* pieces(title) {
  for (const word of title.split(/\s+/)) {
    const parts = UNSPACED.test(word) ? split(word) : [word];
    for (const [place, piece] of parts.entries()) yield { piece, gap: place ? "" : " " };
  }
}

/** Return the words of a run without spaces. A mark that ends one stays with it: no line begins with a full stop. */
function split(run) {
  const found = [];
  for (const { segment, isWordLike } of WORDS.segment(run)) {
    if (!isWordLike && !UNSPACED.test(segment) && found.length) found[found.length - 1] += segment;
    else found.push(segment);
  }
  return found;
}

/** Return the direction in which `text` runs, which is that of its first letter: "rtl" or "ltr". */
export function direction(text) {
  const first = /\p{L}/u.exec(text);
  return first && LEFTWARD.test(first[0]) ? "rtl" : "ltr";
}
