import { OpSdkError, type Where } from '../../../base/errors/index.ts';
import {
  anyObject,
  bool,
  described,
  list,
  mapped,
  object,
  oneOf,
  record,
  string,
} from '../../../base/util/json-reader.ts';
import { documentStyle, problemFindings, readJson, type JsonPath } from '../../../base/util/read-json.ts';
import { parseKubernetesYaml, type YamlDocument } from '../../../kubernetes/yaml/index.ts';
import { foldFields } from '../validate/csv-shape/shape.ts';
import { configurationShape } from './configuration-shape.ts';

/** A test that a scorecard configuration lists. */
export interface ConfiguredTest {
  readonly image: string;
  readonly uniqueId: string | undefined;
  readonly entrypoint: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Path in the Pod at which a volume for the test's output would be mounted. */
  readonly mountPath: string | undefined;
  readonly where: Where;
}

/** Tests of a configuration that run all at once (`parallel`), or one after the other. */
export interface ConfiguredStage {
  readonly parallel: boolean;
  readonly tests: readonly ConfiguredTest[];
}

/** Location of a scorecard configuration: the absolute path, and the path shown in findings. */
export interface ConfigurationPlace {
  readonly path: string;
  readonly shown: string;
}

/** The scorecard configuration of a bundle. */
interface ScorecardConfiguration {
  /** Name of the ServiceAccount for the Pods of the tests. */
  readonly serviceAccount: string | undefined;
  /** Stages of the tests. The stages run one after the other. */
  readonly stages: readonly ConfiguredStage[];
}

const storageReader = described(
  'Where a volume for the output of the tests is mounted.',
  mapped(
    object({
      spec: described(
        'Settings of the volume.',
        object({
          mountPath: described(
            'Where the volume is mounted.',
            object({ path: described('Path in the Pod.', string, { examples: ['/test-output'] }) }),
          ),
        }),
      ),
    }),
    ({ spec }) => spec?.mountPath?.path ?? '',
  ),
);

interface ReadTest extends Omit<ConfiguredTest, 'where'> {
  readonly path: JsonPath;
}

const testReader = mapped(
  object(
    {
      image: described('Image of the test.', string),
      uniqueID: described('Name of the test, unique in the configuration.', string),
      entrypoint: described('Command of the test, with its arguments.', list(string), {
        examples: [['scorecard-test', 'basic-check-spec']],
      }),
      labels: described('Labels by which `op-sdk scorecard --selector` selects tests.', record(string), {
        examples: [{ suite: 'olm', test: 'olm-bundle-validation-test' }],
      }),
      storage: storageReader,
    },
    { required: { image: 'write the image of the test' } },
  ),
  ({ image = '', uniqueID, entrypoint = [], labels = {}, storage }, { path }): ReadTest => ({
    image,
    uniqueId: uniqueID,
    entrypoint,
    labels,
    mountPath: storage,
    path,
  }),
);

/**
 * Reads a scorecard configuration, except that it may list no tests: in a project, patches of `config/scorecard` add them to the base. The
 * names of fields must be in their canonical case.
 */
export const configurationReader = object({
  apiVersion: described(
    'API version of the configuration.',
    oneOf('scorecard.operatorframework.io/v1alpha3'),
  ),
  kind: described('Kind of the configuration.', oneOf('Configuration')),
  metadata: described('Name and labels of the configuration.', anyObject),
  serviceaccount: described('ServiceAccount of the Pods in which the tests run.', string, {
    examples: ['default'],
  }),
  storage: storageReader,
  stages: described(
    'Stages of the tests. They run one after the other.',
    list(
      object({
        parallel: described('Run the tests of the stage all at once.', bool, { default: false }),
        tests: described('Tests of the stage.', list(testReader)),
      }),
    ),
  ),
});

/**
 * Reads a scorecard configuration. Field names are case-insensitive, as in Go. Source: operator-framework/api `pkg/apis/scorecard/v1alpha3`
 * `Configuration`.
 * @param readFile reads the text of an absolute path
 * @throws OpSdkError `io/cannot-read`, `io/yaml-*`, `bundle/scorecard-config`
 */
export async function readConfiguration(
  { path, shown: file }: ConfigurationPlace,
  readFile: (path: string, file: string) => Promise<string>,
): Promise<ScorecardConfiguration> {
  const document = onlyDocument(await readFile(path, file), file);
  const folded = foldFields(document.value, configurationShape);
  const { value, problems } = readJson(configurationReader, folded, file, { style: documentStyle });
  const code = 'bundle/scorecard-config';
  if (problems.length > 0)
    throw new OpSdkError(
      problemFindings(
        problems,
        (path) => document.locate(path),
        () => code,
      ),
    );
  const stages = (value?.stages ?? []).map(({ parallel = false, tests = [] }) => ({
    parallel,
    tests: tests.map(({ path, ...test }) => ({
      ...test,
      mountPath: nonEmpty(test.mountPath) ?? nonEmpty(value?.storage),
      where: document.locate(path),
    })),
  }));
  if (stages.every(({ tests }) => tests.length === 0))
    throw invalid(`${file} lists no tests`, document.locate(['stages']));
  return { serviceAccount: nonEmpty(value?.serviceaccount), stages };
}

function onlyDocument(text: string, file: string): YamlDocument {
  const [document, second] = parseKubernetesYaml(text, file);
  if (document === undefined) throw invalid(`${file} is empty`, { file });
  if (second === undefined) return document;
  throw invalid(`expected one YAML document in ${file}, got another one`, second.locate([]));
}

function invalid(message: string, where: Where): OpSdkError {
  const fix = ['create it from config/scorecard with `op-sdk generate bundle`'];
  return new OpSdkError({ code: 'bundle/scorecard-config', message, where, fix });
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** State of a test result, in the terms of operator-sdk. `error` means that the test could not be carried out. */
export type TestState = 'pass' | 'fail' | 'error';

/** Result of a scorecard test. Source: operator-framework/api `pkg/apis/scorecard/v1alpha3` `TestResult`. */
export interface TestResult {
  readonly name: string;
  readonly state: TestState;
  /** Log text that the test wrote; `''` if the test wrote nothing. */
  readonly log: string;
  readonly errors: readonly string[];
  /** Suggestions that would improve the operator. They do not make a test fail. */
  readonly suggestions: readonly string[];
  /** Time of the result in RFC 3339 format. Only custom tests set it. */
  readonly createdAt?: string;
}

/** Result of a built-in test, without its name. */
export interface Judgement extends Pick<TestResult, 'state' | 'errors' | 'suggestions'> {
  /** Lines of the log. */
  readonly log: readonly string[];
}
