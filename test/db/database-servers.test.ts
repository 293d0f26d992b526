import { describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { serversOf } from '../../server/db/database-servers.ts';
import { databaseHosts } from '../../server/doctor/addresses.ts';
import { ConfigError } from '../../server/settings/values.ts';

describe('a DATABASE_URL', () => {
  test.each([
    ['postgres://ada:pw@one:5432/forms', ['postgres://ada:pw@one:5432/forms']],
    [
      'postgres://ada:p%40,w@one:5433,two,[::1]:5434/forms?target_session_attrs=read-write',
      [
        'postgres://ada:p%40,w@one:5433/forms',
        'postgres://ada:p%40,w@two/forms',
        'postgres://ada:p%40,w@[::1]:5434/forms',
      ],
    ],
    [
      'postgresql://one,two/forms?sslmode=verify-full&target_session_attrs=primary&user=ada',
      [
        'postgresql://one/forms?sslmode=verify-full&user=ada',
        'postgresql://two/forms?sslmode=verify-full&user=ada',
      ],
    ],
    ['postgres://ada:a@b@one,two', ['postgres://ada:a@b@one', 'postgres://ada:a@b@two']],
    // A Unix socket is one server.
    [
      'postgres://app@localhost/forms?host=%2Ftmp%2Fa,b',
      ['postgres://app@localhost/forms?host=%2Ftmp%2Fa,b'],
    ],
  ])('%s', (url, servers) => {
    expect(serversOf(url)).toEqual(servers);
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test('may leave out the host that a parameter names', () => {
    const { databaseUrl } = readConfig({ DATABASE_URL: 'postgres://ada:p%40w@/forms?host=/run/postgresql' });
    expect(databaseUrl).toBe('postgres://ada:p%40w@localhost/forms?host=/run/postgresql');
    expect(databaseHosts(databaseUrl)).toEqual(['/run/postgresql']);
  });

  test.each([
    'mysql://one/forms',
    'postgres://one:x/forms',
    'postgres://one:5432,two:y/forms',
    'postgres://one,two/forms?target_session_attrs=standby',
    'one,two',
    'postgres://ada:pw@/forms',
  ])('%s is refused without repeating it', (url) => {
    const read = () => readConfig({ DATABASE_URL: url });
    expect(read).toThrow(ConfigError);
    expect(read).not.toThrow(url);
  });
});
