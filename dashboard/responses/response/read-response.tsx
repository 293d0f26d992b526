import { useRef } from 'react';
import type { Form } from '../../api/queries.ts';
import { OnlyAnsweredBox, type useOnlyAnswered } from '../answers/only-answered.tsx';
import type { Submission } from '../queries.ts';
import { ReviewHistory } from '../reviews/review-history.tsx';
import { ReviewLine } from '../reviews/review-line.tsx';
import { ChangeHistory } from './change-history.tsx';
import { ResponseView } from './response-view.tsx';

interface ReadResponseProps {
  form: Form;
  /** As the address of the screen names it. */
  formId: string;
  response: Submission;
  onlyAnswered: ReturnType<typeof useOnlyAnswered>;
  /** Called with whether a note is being written. */
  onWriting(isWriting: boolean): void;
}

/** A response with its review, its answers, and what was changed and noted. */
export function ReadResponse({ form, formId, response, onlyAnswered, onWriting }: ReadResponseProps) {
  const historyHeading = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
        <ReviewLine formId={formId} response={response} onHistory={() => historyHeading.current?.focus()} />
        <OnlyAnsweredBox onlyAnswered={onlyAnswered} />
      </div>
      <ResponseView form={form} response={response} isOnlyAnswered={onlyAnswered.isOn} />
      <div className="print:hidden">
        <ChangeHistory form={form} response={response} nextRef={historyHeading} />
        <ReviewHistory
          formId={formId}
          response={response}
          headingRef={historyHeading}
          onWriting={onWriting}
        />
      </div>
    </>
  );
}
