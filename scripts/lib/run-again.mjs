// Tells a test that always fails from one that fails now and then.

/** Failures in more files than this have one cause, and it is not bad luck. */
const fewFiles = 3;

/** CI sets TEST_RERUN=1; elsewhere what fails has failed. */
export const isRerunWanted = () => process.env.TEST_RERUN === '1';

/**
 * Runs tests, and once more what failed: all of them after a crash, the files of failed tests with TEST_RERUN=1 if they are few.
 * What a second run fails is a failure; what it passes is unstable.
 *
 * @param {(title: string, files?: string[]) => Promise<ReturnType<typeof import('./test-report.mjs').readTestReport>>} runOnce
 */
export async function runAgainWhereUnstable(title, runOnce) {
  const first = await runOnce(title);
  if (first.crash !== undefined) return summary(await runOnce(`${title}, again`), [first.crash]);
  const failed = first.files.filter(({ failures }) => failures.length > 0);
  if (!isRerunWanted() || failed.length === 0 || failed.length > fewFiles) return summary(first, []);
  const second = await runOnce(
    `${title}, again`,
    failed.map(({ name }) => name),
  );
  const stillFail = new Set(second.files.flatMap(({ failures }) => failures));
  const unstable = failed.flatMap(({ failures }) => failures.filter((failure) => !stillFail.has(failure)));
  const passedAtOnce = first.files.filter((file) => !failed.includes(file));
  return summary(
    { ...second, files: [...passedAtOnce, ...second.files] },
    unstable.map((failure) => `failed once, passed when its file was run again: ${failure}`),
  );
}

function summary({ files, crash }, unstable) {
  const sum = (counted) => files.reduce((total, file) => total + file[counted], 0);
  const failures = files.flatMap((file) => file.failures);
  if (crash !== undefined) failures.push(crash);
  return { passed: sum('passed'), skipped: sum('skipped'), failures, unstable };
}
