package dev.spur.solver.heuristic;

import dev.spur.solver.relaxation.CouplingConstraints;

/** Candidates and nodes that the jobs changed by one move had before it. */
final class MoveJournal {
    private final CouplingConstraints constraints;
    private final PlanState state;
    private final int[] jobs;
    private final int[] choice;
    private final int[][] nodes;
    private int count;
    /** Number of the last move that changed the job, by job. */
    private final int[] lastMove;

    private int move;

    MoveJournal(CouplingConstraints constraints, PlanState state) {
        int jobs = constraints.jobs();
        this.constraints = constraints;
        this.state = state;
        this.jobs = new int[jobs];
        this.choice = new int[jobs];
        this.nodes = new int[jobs][];
        this.lastMove = new int[jobs];
    }

    /** Starts a move. */
    void start() {
        move++;
        count = 0;
    }

    /** Records the candidate and nodes of job {@code j} before its first change in this move. */
    void record(int j) {
        if (lastMove[j] != move) {
            lastMove[j] = move;
            choice[count] = state.choiceOf(j);
            nodes[count] = state.nodesOf(j);
            jobs[count++] = j;
        }
    }

    /** Returns whether every changed job with a commitment runs. */
    boolean meetsCommitments() {
        for (int i = 0; i < count; i++) {
            if (state.choiceOf(jobs[i]) < 0 && !constraints.mayWait(jobs[i])) {
                return false;
            }
        }
        return true;
    }

    /** Restores the plan before the move. */
    void undo() {
        for (int i = 0; i < count; i++) {
            state.remove(jobs[i]);
        }
        for (int i = 0; i < count; i++) {
            if (choice[i] >= 0) {
                state.putOn(choice[i], nodes[i]);
            }
        }
    }
}
