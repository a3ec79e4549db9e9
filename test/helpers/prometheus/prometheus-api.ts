/** A target as Prometheus shows it. Source: its HTTP API, `/api/v1/targets`. */
export interface Target {
  readonly health: 'up' | 'down' | 'unknown';
  readonly lastError: string;
  readonly scrapeUrl: string;
  /** Name of the job in the configuration. */
  readonly scrapePool: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** An alert whose expression holds. Source: the HTTP API of Prometheus, `/api/v1/alerts`. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** `pending` until the expression has held for as long as the rule says. */
  readonly state: 'pending' | 'firing';
}

/** A group of rules as Prometheus has loaded it. Source: its HTTP API, `/api/v1/rules`. */
export interface RuleGroup {
  readonly name: string;
  readonly file: string;
  readonly rules: readonly { readonly name: string; readonly health: string; readonly lastError?: string }[];
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** Requests to the HTTP API of a Prometheus. They throw what it answers with in place of data. */
export class PrometheusApi {
  readonly #url: string;

  /** @param url such as `http://127.0.0.1:9090` */
  constructor(url: string) {
    this.#url = url;
  }

  async targets(): Promise<readonly Target[]> {
    return (await this.#get<{ activeTargets: readonly Target[] }>('targets?state=active')).activeTargets;
  }

  async alerts(): Promise<readonly Alert[]> {
    return (await this.#get<{ alerts: readonly Alert[] }>('alerts')).alerts;
  }

  async rules(): Promise<readonly RuleGroup[]> {
    return (await this.#get<{ groups: readonly RuleGroup[] }>('rules')).groups;
  }

  /** Returns the URLs of the Alertmanagers that it sends alerts to. */
  async alertmanagers(): Promise<readonly string[]> {
    type Found = { readonly activeAlertmanagers: readonly { readonly url: string }[] };
    return (await this.#get<Found>('alertmanagers')).activeAlertmanagers.map(({ url }) => url);
  }

  /** Returns the configuration that it has loaded, as YAML. Secrets in it are hidden. */
  async config(): Promise<string> {
    return (await this.#get<{ yaml: string }>('status/config')).yaml;
  }

  /** Returns all values of a query so far, as `/api/v1/query_range` returns them, each second. */
  async history(query: string, seconds: number): Promise<readonly unknown[]> {
    const end = Date.now() / 1000;
    const range = new URLSearchParams({ query, start: `${end - seconds}`, end: `${end}`, step: '1s' });
    return (await this.#get<{ result: readonly unknown[] }>(`query_range?${range.toString()}`)).result;
  }

  /** Returns true if there is a series of this name. */
  async knows(metric: string): Promise<boolean> {
    const series = await this.#get<readonly unknown[]>(`series?match[]=${encodeURIComponent(metric)}`);
    return series.length > 0;
  }

  /** Returns the value of each series that the query gives, by its labels as JSON. */
  async query(query: string): Promise<ReadonlyMap<string, number>> {
    const { result } = await this.#get<{ result: readonly Series[] }>(
      `query?query=${encodeURIComponent(query)}`,
    );
    return new Map(result.map(({ metric, value }) => [JSON.stringify(metric), Number(value[1])]));
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.#url}/api/v1/${path}`);
    const { data, error } = (await response.json()) as { data?: T; error?: string };
    if (data === undefined) throw new Error(`${path}: ${error ?? response.status}`);
    return data;
  }
}
