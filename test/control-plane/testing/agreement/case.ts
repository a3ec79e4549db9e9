/** One request of a case. Paths and bodies may hold `$NS`, the namespace of the case. */
export interface Step {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  /** Repeat until the server answers this status: for what happens in its own time. */
  readonly until?: number;
}

/** JSON of which nothing is known: cases take and change what they need. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Loose = any;

/** What was answered, as it was. */
export interface Reply {
  readonly status: number;
  readonly body: Loose;
}

/** A watch of which so many events are read; it is opened before the next step. */
export interface WatchStep {
  readonly watch: string;
  readonly events: number;
}

export type AnyStep = Step | WatchStep | LateStep;

/** A step that needs earlier answers. */
export type LateStep = (replies: readonly Reply[]) => Step | WatchStep;

/** Requests that a real API server and the test API must answer alike. */
export interface Case {
  readonly name: string;
  readonly steps: readonly AnyStep[];
}

export const agree = (name: string, ...steps: readonly AnyStep[]): Case => ({ name, steps });

export const group = 'agreement.example.com';
export const widgetsPath = `/apis/${group}/v1/namespaces/$NS/widgets`;

const query = (parameters: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(parameters).toString();
  return text === '' ? '' : `?${text}`;
};

type Fields = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string>>;

export const widget = (name: string, fields: Fields = {}, metadata: Fields = {}): Fields => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name, ...metadata },
  ...fields,
});

/** Requests for objects below a path such as that of widgets. */
export function requestsAt(path: string) {
  const at = (name: string): string => `${path}/${name}`;
  return {
    create: (body: unknown, parameters: Query = {}): Step => ({
      method: 'POST',
      path: path + query(parameters),
      body,
    }),
    get: (name: string): Step => ({ method: 'GET', path: at(name) }),
    list: (parameters: Query = {}): Step => ({ method: 'GET', path: path + query(parameters) }),
    put: (name: string, body: unknown, parameters: Query = {}): Step => ({
      method: 'PUT',
      path: at(name) + query(parameters),
      body,
    }),
    merge: (name: string, body: unknown, parameters: Query = {}): Step => ({
      method: 'PATCH',
      path: at(name) + query(parameters),
      body,
      type: 'application/merge-patch+json',
    }),
    json: (name: string, body: unknown, parameters: Query = {}): Step => ({
      method: 'PATCH',
      path: at(name) + query(parameters),
      body,
      type: 'application/json-patch+json',
    }),
    apply: (name: string, body: unknown, parameters: Query = {}): Step => ({
      method: 'PATCH',
      path: at(name) + query({ fieldManager: 'one', ...parameters }),
      body,
      type: 'application/apply-patch+yaml',
    }),
    remove: (name: string, body?: unknown, parameters: Query = {}): Step => ({
      method: 'DELETE',
      path: at(name) + query(parameters),
      body,
    }),
    removeAll: (parameters: Query = {}): Step => ({ method: 'DELETE', path: path + query(parameters) }),
    watch: (events: number, parameters: Query = {}): WatchStep => ({
      watch: path + query({ watch: 'true', ...parameters }),
      events,
    }),
    /** Waits until the object is gone, or there. */
    until: (name: string, status: number): Step => ({ method: 'GET', path: at(name), until: status }),
  };
}

export const widgets = requestsAt(widgetsPath);
