// Tells a test that always fails from one that fails now and then.

/** Failures in more files than this have one cause, and it is not bad luck. */
const fewFiles = 3;

/** CI sets TEST_RERUN=1; elsewhere what fails has failed. */
export const isRerunWanted = () => process.env.TEST_RERUN === '1';

/**
 * Runs tests, and once more what failed: all of them after a crash; with TEST_RERUN=1 also the files of failed tests, if they are few, and
 * the files that a run which took too long had not ended. What a second run fails is a failure; what it passes is unstable.
 *
 * @param {(title: string, again?: { files?: string[] }) => Promise<ReturnType<typeof import('./test-report.mjs').readTestReport>>} runOnce
 *   gets `again` for the second run, with its files if they are not all
 */
export async function runAgainWhereUnstable(title, runOnce) {
  const first = await runOnce(title);
  const failed = first.files.filter(({ failures }) => failures.length > 0);
  const isForGood = failed.length > 0 && (!isRerunWanted() || failed.length > fewFiles);
  const isPassed = failed.length === 0 && first.crash === undefined;
  const isHung = first.unfinished !== undefined;
  if (isPassed || isForGood || (isHung && !isRerunWanted())) return summary(first, []);
  // A crash may have kept any file from its tests.
  const isWhole = first.crash !== undefined && !isHung;
  const files = isWhole ? undefined : [...failed.map(({ name }) => name), ...(first.unfinished ?? [])];
  const second = await runOnce(`${title}, again`, { files });
  const kept = isWhole ? [] : first.files.filter((file) => !failed.includes(file));
  const stillFail = new Set(second.files.flatMap(({ failures }) => failures));
  const passedNow = failed.flatMap(({ failures }) => failures.filter((failure) => !stillFail.has(failure)));
  return summary({ ...second, files: [...kept, ...second.files] }, [
    ...(first.crash === undefined ? [] : [first.crash]),
    ...passedNow.map((failure) => `failed once, passed when it was run again: ${failure}`),
  ]);
}

function summary({ files, crash }, unstable) {
  const sum = (counted) => files.reduce((total, file) => total + file[counted], 0);
  const failures = files.flatMap((file) => file.failures);
  if (crash !== undefined) failures.push(crash);
  return { passed: sum('passed'), skipped: sum('skipped'), failures, unstable };
}
