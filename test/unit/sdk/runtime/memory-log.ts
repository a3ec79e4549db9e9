import { createLogger } from '../../../../src/sdk/runtime/create-logger.ts';

export type LogLine = Record<string, unknown> & { level: string; msg: string };

/** A logger that keeps what it writes. */
export function memoryLog() {
  const lines: LogLine[] = [];
  const log = createLogger({
    level: 'trace',
    destination: { write: (line: string) => lines.push(JSON.parse(line) as LogLine) },
  });
  return { log, lines };
}
