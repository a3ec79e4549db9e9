/** A member as etcd knows it. */
export interface Member {
  readonly ID: string;
  /** Empty until the member has started. */
  readonly name?: string;
  readonly peerURLs: readonly string[];
  /** Learners get all data and have no vote: they are promoted once they have caught up. */
  readonly isLearner?: boolean;
}

/** State of one member, by its own answer. Sizes are in bytes. */
export interface MemberReport {
  readonly memberID: string;
  /** ID of the leader; `0` while there is none. */
  readonly leader: string;
  readonly version: string;
  readonly isLearner: boolean;
  /** True if the member has a quorum: it can read what the others have written. */
  readonly isHealthy: boolean;
  readonly dbSize: number;
  readonly dbSizeInUse: number;
}

export interface Alarm {
  readonly memberID: string;
  readonly alarm: string;
}

/** Where a member answers, and by which name its certificate is for it. */
export interface Endpoint {
  /** Such as `http://10.0.0.1:2379`. */
  readonly url: string;
  /** Name in the certificate of the member. */
  readonly serverName: string;
}

/** Credentials of a client of etcd, as PEM. */
export interface ClientCredentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface Connection {
  /** Undefined for plain text. */
  readonly credentials?: ClientCredentials | undefined;
  readonly signal: AbortSignal;
}

/** Members of one cluster. Calls go to the endpoints in their order until one answers. */
export interface Members {
  /** @throws EtcdUnreachableError if no endpoint answers */
  list(): Promise<readonly Member[]>;
  /** Lists the members as one endpoint has them, without a quorum. @throws EtcdUnreachableError if no endpoint answers */
  listLocally(): Promise<readonly Member[]>;
  /** Adds a learner. */
  add(peerURL: string): Promise<void>;
  promote(member: Member): Promise<void>;
  remove(member: Member): Promise<void>;
  alarms(): Promise<readonly Alarm[]>;
}

/** The part of etcd's API that the operator needs. Tests have one of their own. */
export interface EtcdApi {
  /** Returns the state of one member; undefined if it does not answer. */
  report(endpoint: Endpoint, connection: Connection): Promise<MemberReport | undefined>;
  members(endpoints: readonly Endpoint[], connection: Connection): Members;
}

/** No endpoint has answered. */
export class EtcdUnreachableError extends AggregateError {
  override readonly name = 'EtcdUnreachableError';
}

/** etcd has answered that it will not, or cannot yet. */
export class EtcdRefusalError extends Error {
  override readonly name = 'EtcdRefusalError';
  /** Code of gRPC. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }

  /**
   * True for refusals that pass by themselves: a learner has not caught up, members are connected for less than five seconds, there is no
   * leader for a moment. Codes: FAILED_PRECONDITION (9), UNAVAILABLE (14).
   */
  get isTemporary(): boolean {
    return this.code === 9 || this.code === 14;
  }
}
