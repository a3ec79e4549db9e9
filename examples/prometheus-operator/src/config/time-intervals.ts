import type {
  DayOfMonthRange,
  TimeInterval,
  TimeRange,
} from '../api/monitoring/v1alpha1/alertmanager-config.ts';
import type { Problems } from './problems.ts';
import type { ConfigObject } from './render.ts';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

/**
 * Returns an interval of Alertmanager, and reports ranges that it would refuse. Source: UnmarshalYAML of alertmanager/timeinterval.
 *
 * @param name among the intervals of all AlertmanagerConfigs
 */
export function intervalConfig(
  { timeIntervals = [] }: TimeInterval,
  path: string,
  name: string,
  problems: Problems,
): ConfigObject {
  return {
    name,
    time_intervals: timeIntervals.map(({ times, daysOfMonth, ...period }, index) => {
      const place = `${path}.timeIntervals[${index}]`;
      checkRanges(period.weekdays, `${place}.weekdays`, 'monday or monday:friday', weekdayOf, problems);
      checkRanges(period.months, `${place}.months`, 'january or 1:3', monthOf, problems);
      checkRanges(period.years, `${place}.years`, '2026 or 2026:2027', yearOf, problems);
      times?.forEach((each, at) => checkTime(each, `${place}.times[${at}]`, problems));
      daysOfMonth?.forEach((each, at) => checkDays(each, `${place}.daysOfMonth[${at}]`, problems));
      return {
        times: times?.map(({ startTime, endTime }) => ({ start_time: startTime, end_time: endTime })),
        weekdays: period.weekdays?.map((each) => each.toLowerCase()),
        days_of_month: daysOfMonth?.map(({ start, end = start }) => `${start}:${end}`),
        months: period.months?.map((each) => each.toLowerCase()),
        years: period.years,
      };
    }),
  };
}

const weekdayOf = (text: string): number => weekdays.indexOf(text.toLowerCase());
const yearOf = (text: string): number => (/^\d{4}$/.test(text) ? Number(text) : -1);
function monthOf(text: string): number {
  return /^(?:[1-9]|1[0-2])$/.test(text) ? Number(text) - 1 : months.indexOf(text.toLowerCase());
}

function checkRanges(
  ranges: readonly string[] | undefined,
  path: string,
  what: string,
  numberOf: (text: string) => number,
  problems: Problems,
): void {
  for (const [index, range] of (ranges ?? []).entries()) {
    const numbers = range.split(':').map(numberOf);
    const [first = -1, last = first] = numbers;
    if (numbers.length > 2 || numbers.includes(-1))
      problems.add(`${path}[${index}]`, `expected ${what}, got "${range}"`);
    else if (last < first) problems.add(`${path}[${index}]`, `ends before it begins: "${range}"`);
  }
}

function checkTime({ startTime, endTime }: TimeRange, path: string, problems: Problems): void {
  if (startTime === undefined || endTime === undefined) problems.add(path, 'expected startTime and endTime');
  else if (endTime <= startTime) problems.add(path, `ends before it begins: ${startTime} to ${endTime}`);
}

function checkDays({ start, end = start }: DayOfMonthRange, path: string, problems: Problems): void {
  if (start === undefined || end === undefined) problems.add(path, 'expected start and end');
  else if (start === 0 || end === 0) problems.add(path, 'expected days from 1 to 31, or from -31 to -1');
  else if (start < 0 && end > 0) problems.add(path, 'expected an end that is counted as the start is');
  else if (start < 0 === end < 0 && end < start)
    problems.add(path, `ends before it begins: ${start} to ${end}`);
}
