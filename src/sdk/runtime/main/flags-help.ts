/** A flag of an operator's command line. */
export interface FlagSpec {
  /** Name of the value in the help text; absent for a boolean. */
  readonly value?: string;
  readonly fallback?: string;
  /** Accepted values. Default: those that `check` accepts. */
  readonly choices?: readonly string[];
  /** @returns the reason why the value is refused; undefined if it is accepted */
  check?(value: string, flag: string): string | undefined;
}

export type FlagName = keyof typeof texts;

const texts = {
  'health-probe-bind-address': 'Where /healthz and /readyz are served; 0 for nowhere.',
  'metrics-bind-address':
    'Where /metrics is served, such as :8443, or :8080 with --metrics-secure=false; 0 for nowhere.',
  kubeconfig: "A kubeconfig file. Default: KUBECONFIG, then the pod's ServiceAccount, then ~/.kube/config.",
  namespace: 'Watch this namespace only; several separated by commas. Default: WATCH_NAMESPACE, then all.',
  'log-level': '',
  'leader-elect': 'Let only one of several replicas work: the one that holds the Lease.',
  'log-format': 'Default: text on a terminal, else json.',
  'metrics-secure':
    'Serve metrics over HTTPS to those who may read them; false: over plain HTTP to everybody.',
  'metrics-node':
    'Serve the metrics of Node and of the process too: nodejs_* (event loop, heap, garbage collection), process_*.',
  'enable-http2': 'Offer HTTP/2 on the servers for metrics and webhooks.',
  'metrics-cert-path': 'The folder with the certificate for metrics. Default: a self-signed one is made.',
  'metrics-cert-name': 'The certificate in it.',
  'metrics-cert-key': 'The key in it.',
  'webhook-port': 'Where webhooks and conversions are served, over HTTPS.',
  'webhook-cert-path':
    'The folder with the certificate for webhooks. Default: what the environment says, or where OLM mounts it.',
  'webhook-cert-name': 'The certificate in it.',
  'webhook-cert-key': 'The key in it.',
};

/**
 * Returns the help text of an operator's binary. Loaded on demand, so that operators that run do not load the texts.
 * @param specs all flags, in the order of the text
 * @param commands programs that run in place of the operator, by their names
 */
export function flagsHelp(
  specs: Readonly<Record<FlagName, FlagSpec>>,
  commands: Readonly<Record<string, unknown>> = {},
): string {
  const rows = (Object.keys(specs) as FlagName[]).map((name) => {
    const { value, fallback, choices } = specs[name];
    const sentences = [
      choices === undefined ? '' : `One of ${choices.join(', ')}.`,
      texts[name],
      fallback === undefined ? '' : `Default: ${fallback}.`,
    ];
    return rowOf(`--${name}${value === undefined ? '' : `=<${value}>`}`, sentences.filter(Boolean).join(' '));
  });
  const names = Object.keys(commands);
  const others = names.length === 0 ? '' : `Commands in place of the operator: ${names.join(', ')}\n`;
  return `${others}Flags:\n${[...rows, rowOf('--help', 'Show this text.')].join('\n')}\n`;
}

function rowOf(flag: string, text: string): string {
  return `  ${flag.padEnd(40)} ${text}`;
}
