interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Asks for many at once: while one query is under way callers gather for the next. So each learns what is true after his own call,
 * and a thousand of them cost the database no more than a few queries.
 * @param most questions of one query
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
    // The rest of this turn may bring more.
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
