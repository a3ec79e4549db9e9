import { writeFile } from 'node:fs/promises';
import type { CommandContext } from 'opsdk';
import { chooseKeys, possibleKeys } from '../tls/secret-files.ts';
import { readSecret } from './stores/secret-files.ts';
import { openStore } from './storage.ts';
import { readArguments, type BackupCommand } from './arguments.ts';
import { BackupError, reasonOf } from './backup-error.ts';
import { exitCodeOf } from './exit-code.ts';
import { fetchBackup, patientDelays } from './fetch-backup.ts';
import type { TlsFiles } from './http.ts';
import { placeData, prepareData } from './place-data.ts';
import { resultText, type Result } from './result.ts';
import { saveBackup } from './save-backup.ts';

/**
 * Runs the program `backup` of the operator's image: it saves a snapshot of etcd, fetches and checks one, or puts restored data in place.
 * The result is the termination message of its container, where the operator reads it.
 *
 * @param args arguments after `backup`
 * @returns the outcome, which is written already
 * @throws BackupError `InvalidRequest` for arguments that do not say where the result belongs
 */
export async function runBackup(args: readonly string[], stop: AbortSignal): Promise<Result> {
  const command = readArguments(args);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(command.timeoutSeconds * 1000)]);
  let result: Result;
  try {
    result = await run(command, signal);
  } catch (error) {
    result = { failed: failureOf(error, command, { stop, signal }) };
  }
  await writeFile(command.resultFile, resultText(result));
  return result;
}

async function run(command: BackupCommand, signal: AbortSignal): Promise<Result> {
  if (command.verb === 'place') {
    await placeData(command);
    return { prepared: { dataDir: command.dataDir } };
  }
  if (command.verb === 'fetch' && command.dataDir !== undefined) {
    const { file, dataDir } = command;
    if (!(await prepareData({ file, dataDir }))) return { prepared: { dataDir } };
  }
  const store = await openStore(command.storage);
  if (command.verb === 'fetch') {
    const delays = command.dataDir === undefined ? undefined : patientDelays;
    return { fetched: await fetchBackup(command, { store, signal, delays }) };
  }
  const tls = command.tlsFolder === undefined ? undefined : await clientTls(command.tlsFolder);
  return { saved: await saveBackup(command, { store, tls, signal }) };
}

/** Reads the certificate of a client. @throws BackupError `InvalidRequest` that names the expected keys */
async function clientTls(folder: string): Promise<TlsFiles> {
  const secret = await readSecret(folder, possibleKeys('client'));
  try {
    const { ca, cert, key } = chooseKeys(secret, 'client', 'the Secret with the client certificate');
    return { ca: secret[ca], cert: secret[cert], key: secret[key] };
  } catch (error) {
    throw new BackupError('InvalidRequest', (error as Error).message, { cause: error });
  }
}

function failureOf(
  error: unknown,
  { timeoutSeconds }: BackupCommand,
  { stop, signal }: { readonly stop: AbortSignal; readonly signal: AbortSignal },
) {
  if (signal.aborted && !stop.aborted)
    return { reason: 'DeadlineExceeded', message: `not done after ${timeoutSeconds} seconds` } as const;
  if (stop.aborted) return { reason: 'UnexpectedError', message: 'the Pod was asked to end' } as const;
  return { reason: reasonOf(error), message: error instanceof Error ? error.message : String(error) };
}

/** Command `backup` of the operator's image. */
export async function backup({ args, signal, log }: CommandContext): Promise<void> {
  const result = await runBackup(args, signal);
  if ('failed' in result) log.error(result, 'Failed');
  else log.info(result, 'Done');
  process.exitCode = exitCodeOf(result);
}
