/** The smallest and the largest value of each field of a schedule, and the names that it knows. */
const fields: readonly {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  {
    least: 1,
    most: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/**
 * Returns the server's message about the schedule of a CronJob; undefined if the schedule is valid. Source: robfig/cron `parser.go`,
 * `ParseStandard`.
 */
export function cronProblem(schedule: string): string | undefined {
  const [zone, ...rest] = schedule.trim().split(/\s+/);
  const text = /^(?:CRON_)?TZ=/.test(schedule) ? rest.join(' ') : schedule.trim();
  if (text.startsWith('@')) {
    if (descriptors.test(text) || /^@every (?:\d+(?:\.\d+)?(?:h|m|s|ms|us|ns))+$/.test(text))
      return undefined;
    return text.startsWith('@every ')
      ? `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(text.slice(7))}`
      : `unrecognized descriptor: ${text}`;
  }
  const parts = text === '' ? [] : text.split(/\s+/);
  if (zone === '' && parts.length === 0) return 'empty spec string';
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, part] of parts.entries()) {
    const problem = part
      .split(',')
      .map((range) => rangeProblem(range, fields[index] ?? { least: 0, most: 0, names: [] }))
      .find((found) => found !== undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function rangeProblem(range: string, { least, most, names }: (typeof fields)[number]): string | undefined {
  const [whole = '', step, ...slashes] = range.split('/');
  const [low = '', high, ...hyphens] = whole.split('-');
  let start = least;
  let end = most;
  if (low !== '*' && low !== '?') {
    const first = valueOf(low, names);
    if (typeof first === 'string') return first;
    start = end = first;
    if (hyphens.length > 0) return `too many hyphens: ${range}`;
    if (high !== undefined) {
      const last = valueOf(high, names);
      if (typeof last === 'string') return last;
      end = last;
    }
  }
  if (slashes.length > 0) return `too many slashes: ${range}`;
  if (step !== undefined) {
    const every = numberOf(step);
    if (typeof every === 'string') return every;
    if (high === undefined) end = most;
    if (every === 0) return `step of range should be a positive number: ${range}`;
  }
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return undefined;
}

function valueOf(text: string, names: readonly string[]): number | string {
  const index = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return index >= 0 ? index : numberOf(text);
}

function numberOf(text: string): number | string {
  if (/^[+-]?\d+$/.test(text)) {
    const value = Number(text);
    return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
  }
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
