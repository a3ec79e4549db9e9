import type { Connection } from '../client/connection.ts';
import type { CallOptions } from '../types.ts';
import { discover } from './discover.ts';
import type { ApiDirectory, ServedType } from './served-type.ts';

/** Finds the type that an apiVersion and a kind mean: its path, its scope, what can be done with it. */
export interface RestMapper {
  /** @returns undefined if the server does not serve it. @throws ApiError, TransportError */
  find(apiVersion: string, kind: string, options?: CallOptions): Promise<ServedType | undefined>;
  /** Returns the types that the server serves, as they were when it was first asked. @throws ApiError, TransportError */
  directory(options?: CallOptions): Promise<ApiDirectory>;
}

/** A mapper of one API server, which is asked once, at the first use. */
export function createRestMapper(connection: Connection): RestMapper {
  let known: ApiDirectory | undefined;
  const directory = async ({ signal }: CallOptions = {}): Promise<ApiDirectory> => {
    known ??= await discover(connection, { signal });
    return known;
  };
  return {
    directory,
    async find(apiVersion, kind, options) {
      const { types } = await directory(options);
      return types.find(({ resource }) => resource.apiVersion === apiVersion && resource.kind === kind);
    },
  };
}
