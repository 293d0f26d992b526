import Type from 'typebox';

export const WorkspaceParams = Type.Object({ workspaceId: Type.String() });

/** How member routes name a form in their path. */
export const FormParam = Type.String({ description: 'Numeric id, slug or UUID' });
export const FormParams = Type.Object({ form: FormParam });

/** How they name one of its submissions. */
export const SubmissionParam = Type.String({ description: 'Numeric id or UUID' });
export const SubmissionParams = Type.Object({ form: FormParam, submissionId: SubmissionParam });
