import { BucketProblem, withLocalFile } from '../backup/bucket-folder.ts';
import { RestoreRefused } from '../backup/empty-place.ts';
import { checkBackup, type Restored, restore } from '../backup/restore.ts';
import { DamagedArchive } from '../backup/tar.ts';
import { readConfig } from '../config.ts';
import { CommandError, type CommandIo } from './command.ts';
import { provideForCommand } from './open-database.ts';
import { readOptions } from './options.ts';
import { inPlainWords } from './plain-words.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.restore.usage;
const OPTIONS = {
  check: { type: 'boolean' },
  'send-deliveries': { type: 'boolean' },
  'without-key': { type: 'boolean' },
  'keep-files': { type: 'boolean' },
} as const;

/** Restores a backup into an empty place, or only reads it with `--check`. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS, USAGE, 1);
  const [path = ''] = positionals;
  const options = {
    sendDeliveries: values['send-deliveries'] ?? false,
    withoutKey: values['without-key'] ?? false,
    keepFiles: values['keep-files'] ?? false,
  };
  try {
    const s3 = () => readConfig().s3Server;
    if (values.check) {
      const { header } = await withLocalFile(path, s3, (local) => checkBackup(local));
      io.out(`${path} is complete: the state of ${header.taken_at}, made by Formstead ${header.formstead}.`);
      return 0;
    }
    const tell = (line: string) => io.err(`… ${line}`);
    const restored = await withLocalFile(path, s3, (local) =>
      restore(readConfig(), local, options, { tell, provide: provideForCommand }),
    );
    for (const line of remarks(restored)) io.err(line);
    io.out(`Restored the state of ${restored.header.taken_at}.`);
    return 0;
  } catch (error) {
    if (error instanceof RestoreRefused || error instanceof DamagedArchive || error instanceof BucketProblem)
      throw new CommandError(error.message);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR' && syscall === 'read')
      throw new CommandError(`${path} is a directory: name the file of a backup in it.`);
    throw inPlainWords(error);
  }
}

function remarks({ held, heldMails, disconnected, manifest }: Restored): string[] {
  return [
    ...(manifest.missing_files.count > 0
      ? [`${manifest.missing_files.count} files were missing when the backup was made.`]
      : []),
    ...(held > 0
      ? [`${held} waiting deliveries were cancelled; their owners see the reason and can send them again.`]
      : []),
    ...(heldMails > 0
      ? [
          `${heldMails} waiting mails to recipients of forms were taken out of the line; they can be sent again.`,
        ]
      : []),
    ...(disconnected > 0
      ? [`${disconnected} accounts for payments were disconnected; admins can connect them again.`]
      : []),
    'Whatever was revoked, removed or erased after the backup was made is back: do it again.',
  ];
}
