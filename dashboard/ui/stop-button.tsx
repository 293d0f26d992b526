import { useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';

/** Stops something that goes on until its present step has been answered, and shows that it was pressed. */
export function StopButton({ onStop, size }: { onStop(): void } & Pick<ButtonProps, 'size'>) {
  const [isStopping, setStopping] = useState(false);
  const stop = () => {
    setStopping(true);
    onStop();
  };
  return (
    <Button {...(size && { size })} isRunning={isStopping} onClick={stop}>
      Stop
    </Button>
  );
}
