interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Asks the questions of many callers by one query: while a query is under way, new callers gather for the next. So each gets an
 * answer that is at least as new as his call, and a thousand callers cost the database only a few queries.
 * @param most questions in one query
 * @param ask answers in the order of the questions
 */
export function gathering<Question, Answer>(
  most: number,
  ask: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAsking = false;

  async function askAll(): Promise<void> {
    isAsking = true;
    // Other calls in the same turn of the event loop join this query.
    await null;
    while (waiting.length > 0) {
      const gathered = waiting.splice(0, most);
      try {
        const answers = await ask(gathered.map(({ question }) => question));
        for (const [place, { resolve }] of gathered.entries()) resolve(answers[place] as Answer);
      } catch (error) {
        for (const { reject } of gathered) reject(error);
      }
    }
    isAsking = false;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!isAsking) void askAll();
    });
}
