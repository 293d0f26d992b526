import type { Client } from './client.ts';
import type { Respondent } from './read-survey.ts';

/** Answers on their way at a time. */
const CONCURRENCY = 32;
/** Every so manieth answer is sent twice, as by a client that never saw the first reply. */
const SENT_TWICE = 50;

/**
 * Submits the answers of all respondents.
 * @returns the submission ids that the service answered, by respondent
 */
export async function submitAll(
  visitors: Client,
  answerPath: string,
  respondents: Respondent[],
): Promise<Map<string, string>> {
  const submissionIds = new Map<string, string>();
  const waiting = respondents.entries();
  const submitRest = async () => {
    for (const [index, respondent] of waiting) {
      const first = await submit(visitors, answerPath, respondent);
      if (index % SENT_TWICE === 0) {
        const second = await submit(visitors, answerPath, respondent);
        if (second !== first) throw new Error(`Sent twice, stored twice: ${first} and ${second}.`);
      }
      submissionIds.set(respondent.id, first);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, submitRest));
  return submissionIds;
}

/** The idempotency key makes it safe to send the same answers again. */
async function submit(visitors: Client, answerPath: string, { id, answers }: Respondent): Promise<string> {
  const { body } = await visitors.send('POST', answerPath, answers, {
    'idempotency-key': `respondent-${id}`,
  });
  return String(body.submission_id);
}
