#!/usr/bin/env bash
# Keras: a training that is stopped twice in one epoch starts again at epoch 0, with the weights of the later epoch.
#
# Seen with keras 3.15.1 and jax 0.10.2 (CPython 3.11, Linux x86-64, CPU), 2026-11-30.
#
# Behavior: BackupAndRestore saves every 2 batches. Its documentation says that the epoch number is restored. The
# callback restores that of the model, but not its own counter, which is 0 until the end of an epoch. So each save in
# the first epoch after a restart writes epoch 0. A second preemption there repeats all epochs: 72 updates instead of
# 40. The number of the batch is saved and never read, so each restart also repeats its epoch from the first batch.
#
# The packages are installed into a temporary folder (about 0.7 GB).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q keras==3.15.1 jax==0.10.2
cat >"$folder/program.py" <<'PROGRAM'
import sys
import keras
import numpy

class Stop(keras.callbacks.Callback):
    def __init__(self, epoch, batch):
        super().__init__()
        self.stop, self.counts = (epoch, batch), {}
    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch
    def on_train_batch_end(self, batch, logs=None):
        self.counts[self.epoch] = self.counts.get(self.epoch, 0) + 1
        if (self.epoch, batch) == self.stop:
            raise KeyboardInterrupt

epoch, batch, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
stop = Stop(epoch, batch)
backup = keras.callbacks.BackupAndRestore(folder, save_freq=2)
try:
    model.fit(numpy.ones((32, 2)), numpy.ones(32), batch_size=4, epochs=5, verbose=0, callbacks=[backup, stop])
except KeyboardInterrupt:
    pass
print("batches of epochs", stop.counts, "updates", int(model.optimizer.iterations))
PROGRAM
export KERAS_BACKEND=jax KERAS_HOME=$folder
for stop in "3 4" "3 4" "9 9"; do
  # shellcheck disable=SC2086
  "$folder/env/bin/python" "$folder/program.py" $stop "$folder/backup"
  cat "$folder/backup/training_metadata.json" 2>/dev/null && echo || true
done | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
batches of epochs {0: 8, 1: 8, 2: 8, 3: 5} updates 29
{"epoch": 3, "batch": 3}
batches of epochs {3: 5} updates 33
{"epoch": 0, "batch": 3}
batches of epochs {0: 8, 1: 8, 2: 8, 3: 8, 4: 8} updates 72
EXPECTED
