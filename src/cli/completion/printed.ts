/* eslint-disable no-console -- nothing is printed here: what the library prints is caught */
/** Captures the lines that the completion library prints to the console. */
export function printed(run: () => void): readonly string[] {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: unknown) => void lines.push(String(line));
  try {
    run();
  } finally {
    console.log = log;
  }
  return lines;
}
