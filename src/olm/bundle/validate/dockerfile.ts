export interface DockerfileLabel {
  readonly key: string;
  /** Value of the label; undefined if it contains a variable, which is known only during a build. */
  readonly value: string | undefined;
  /** Line number, counted from 1. */
  readonly line: number;
}

interface Instruction {
  readonly word: string;
  readonly rest: string;
  readonly line: number;
}

const quoted = `"(?:[^"\\\\]|\\\\.)*"|'[^']*'`;

const wordForm = new RegExp(`(?:${quoted}|\\\\.|[^\\s"'\\\\])+`, 'gs');

function instruction(text: string, line: number): Instruction {
  const [, word = '', rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(text) ?? [];
  return { word: word.toUpperCase(), rest: rest.trim(), line };
}

/** Removes quotes and backslash escapes; returns undefined if the text contains a variable. */
function unquote(text: string): string | undefined {
  if (/(?:^|[^\\])\$[\w{]/.test(text.replace(/'[^']*'/g, ''))) return undefined;
  return text.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_all, double, single, escaped) =>
    typeof double === 'string' ? double.replace(/\\(.)/gs, '$1') : String(single ?? escaped),
  );
}

function pairs(rest: string): readonly (readonly [string, string | undefined])[] {
  const words = rest.match(wordForm) ?? [];
  const [first = ''] = words;
  if (!first.includes('=')) {
    const value = rest.slice(first.length).trim();
    return first === '' ? [] : [[unquote(first) ?? first, unquote(value)]];
  }
  return words.map((word) => {
    const [, key = word, value = ''] = new RegExp(`^(${quoted}|[^=]*)=(.*)$`, 's').exec(word) ?? [];
    return [unquote(key) ?? key, unquote(value)];
  });
}

function instructions(text: string): readonly Instruction[] {
  const found: Instruction[] = [];
  let open: { text: string; line: number } | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    // Comments and empty lines inside an instruction do not end the instruction.
    if (/^\s*(?:#|$)/.test(raw)) continue;
    const continues = /\\\s*$/.test(raw);
    const line = raw.replace(/\\\s*$/, ' ');
    open = open === undefined ? { text: line, line: index + 1 } : { text: open.text + line, line: open.line };
    if (continues) continue;
    found.push(instruction(open.text, open.line));
    open = undefined;
  }
  return open === undefined ? found : [...found, instruction(open.text, open.line)];
}

/**
 * Returns the labels that the LABEL instructions of a Dockerfile set. Reads pairs `key=value`, quoted or not; several pairs per
 * instruction, over several lines; and the old form `key value`. If a key is set twice, the last value is used, as in a build.
 * @see https://docs.docker.com/reference/dockerfile/#label
 */
export function dockerfileLabels(text: string): readonly DockerfileLabel[] {
  const labels = new Map<string, DockerfileLabel>();
  for (const { word, rest, line } of instructions(text)) {
    if (word !== 'LABEL') continue;
    for (const [key, value] of pairs(rest)) labels.set(key, { key, value, line });
  }
  return [...labels.values()];
}

/** Returns the source paths of the COPY and ADD instructions of a Dockerfile. */
export function copiedSources(text: string): readonly string[] {
  return instructions(text)
    .filter(({ word }) => word === 'COPY' || word === 'ADD')
    .flatMap(({ rest }) =>
      rest
        .split(/\s+/)
        .filter((part) => part !== '' && !part.startsWith('--'))
        .slice(0, -1),
    );
}
