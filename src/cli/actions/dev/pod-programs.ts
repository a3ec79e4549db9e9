import { readFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, resolve } from 'node:path';
import { FindingList, type Finding, type Where } from '../../../base/errors/index.ts';
import { findProgram, isExecutable } from '../../../base/process/find-program.ts';
import { either, list, mapped, record, string } from '../../../base/util/json-reader.ts';
import {
  documentStyle,
  invalid,
  problemFindings,
  readJson,
  type JsonPath,
} from '../../../base/util/read-json.ts';
import { parseKubernetesYaml } from '../../../kubernetes/yaml/index.ts';
import type { ContainerToRun, ProcessFor, TestNodes } from '../../../testing/index.ts';

/** Programs of an image, by the names by which containers call them. The first one is the image's entrypoint. */
type ImagePrograms = ReadonlyMap<string, string>;

const code = 'testenv/invalid-programs' satisfies Finding['code'];

const program = mapped(string, (value, place) =>
  value.trim() === '' ? invalid(place, 'expected a program, got none', 'name a program') : value,
);
const programsReader = record(
  either(
    'a program or a list of programs',
    'write `IMAGE: PROGRAM` or `IMAGE: [ENTRYPOINT, PROGRAM]`',
    mapped(program, (value) => [value]),
    mapped(list(program), (value, place) =>
      value.length === 0 ? invalid(place, 'expected a program, got none', 'name a program') : value,
    ),
  ),
);

interface ProgramFolders {
  /** Folder of the project, to which paths are relative. */
  readonly cwd: string;
  /** Value of the variable `PATH`. */
  readonly path: string;
  /** Folder of the binaries of the control plane, which is searched after `PATH`. */
  readonly assets: string;
}

/**
 * Reads the file that names programs of this machine for images, and finds the programs:
 *
 *     etcd: [etcd, etcdutl]
 *     registry.example.com/cache: redis-server
 *
 * A name is looked for in `PATH`, then among the binaries of the control plane; with a slash it is a path relative to the project. A
 * container runs the program that its command names, or the first one of its image.
 *
 * @param file name of the file, relative to the project
 * @throws OpSdkError `testenv/invalid-programs`, `testenv/program-missing` with all findings, and those of YAML
 */
export async function readPodPrograms(
  file: string,
  folders: ProgramFolders,
): Promise<Record<string, ProcessFor>> {
  const content = await readFile(resolve(folders.cwd, file), 'utf8');
  const findings = new FindingList();
  const processes = new Map<string, ProcessFor>();
  for (const document of parseKubernetesYaml(content, file)) {
    const place = (path: JsonPath): Where => document.locate(path);
    const { value = {}, problems } = readJson(programsReader, document.value, 'the file', {
      style: documentStyle,
    });
    findings.add(...problemFindings(problems, place, () => code));
    for (const [image, names] of Object.entries(value)) {
      const where = place([image]);
      if (processes.has(image))
        findings.add({
          ...{ code, message: `the image ${image} is named by two documents`, where },
          fix: ['name all programs of an image in one list'],
        });
      const programs = new Map<string, string>();
      for (const name of names) {
        const called = basename(name);
        const found = await locate(name, folders);
        if (found === undefined) findings.add(missing(name, image, where));
        else if (programs.has(called)) findings.add(ambiguous(called, image, where));
        else programs.set(called, found);
      }
      processes.set(image, (container) => processOf(container, image, programs, file));
    }
  }
  findings.throwIfAny();
  return Object.fromEntries(processes);
}

/**
 * Returns the process of a container of the operator's own image: another run of the operator's bundle.
 * @param bundle absolute path of the bundle
 */
export function ownProgram(
  bundle: string,
  { programSettings }: Pick<TestNodes, 'programSettings'>,
): ProcessFor {
  const { nodeFlags, env } = programSettings;
  return ({ command, args }) => {
    if (command.length > 0)
      throw new Error(
        `the operator's image runs here with args alone, got the command ${JSON.stringify(command)}`,
      );
    return { file: process.execPath, args: [...nodeFlags, bundle, ...args], env };
  };
}

async function locate(name: string, { cwd, path, assets }: ProgramFolders): Promise<string | undefined> {
  if (!name.includes('/')) return findProgram(name, [path, assets].join(delimiter));
  const file = isAbsolute(name) ? name : resolve(cwd, name);
  return (await isExecutable(file)) ? file : undefined;
}

function missing(name: string, image: string, where: Where): Finding {
  return {
    code: 'testenv/program-missing',
    message: `the program ${JSON.stringify(name)} for containers of ${image} was not found`,
    where,
    fix: [
      name.includes('/') ? `put an executable file there` : `install ${name}, so that it is on the PATH`,
      '`op-sdk dev --no-programs` lets the containers pretend to run',
    ],
  };
}

/** Returns the finding about a program that no container can call, because another program of the image has the same name. */
function ambiguous(called: string, image: string, where: Where): Finding {
  return {
    ...{ code, where },
    message: `containers of ${image}: expected one program called ${JSON.stringify(called)}, got two`,
    fix: [
      'leave one out, or give it another file name: a container names its program by the last part of its path',
    ],
  };
}

/** @throws Error if the image has no such program; a kubelet reports it as the reason why the container cannot be started */
function processOf(
  { command: [called, ...words], args }: ContainerToRun,
  image: string,
  programs: ImagePrograms,
  source: string,
): { file: string; args: string[] } {
  const [entrypoint] = programs.values();
  const found = called === undefined ? entrypoint : programs.get(basename(called));
  if (found !== undefined) return { file: found, args: [...words, ...args] };
  const known = [...programs.keys()].join(', ');
  throw new Error(
    `${source} names no program ${JSON.stringify(called)} for ${image}: expected one of ${known}`,
  );
}
