#!/usr/bin/env bash
# ojAlgo: it calls integer models with one row and three variables infeasible, though they have plans.
#
# Seen with ojalgo 57.1.0 and 57.0.0 (JDK 17, Linux x86-64), 2026-12-01. 57.1.0 is the latest one that the registry used
# here has.
#
# Documentation: ExpressionsBasedModel solves models with integer variables. The state INFEASIBLE is "No solution that
# complies with all constraints exists (found)". In practice it often is "infeasible or unbounded".
#
# Behavior: one to four nodes with 3 GPUs, one to three with 2, and at most two with 6 must have exactly 15 GPUs. The
# cheapest plan is 3, 3 and 0 with the cost 15, as the enumeration of all plans shows. ojAlgo 57.1.0 reports
# INFEASIBLE. In the other two examples 57.0.0 does so, too. Of 2,000 random models of this kind with a plan, the script
# counts the state INFEASIBLE, and another optimum than the best. They are more if bounds and coefficients may be
# negative. All models are bounded. Issue 682 of ojAlgo is about cuts that are new in 57.1; 57.0.0 does not have those.
#
# Maven (mvn) and a JDK (java) are required; the artifacts come from Maven Central.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 57.0.0 57.1.0; do
  (cd "$folder" && "${MVN:-mvn}" -q dependency:copy -Dartifact="org.ojalgo:ojalgo:$version" \
    -DoutputDirectory="$folder/jars")
done
cat >"$folder/Plans.java" <<'PROGRAM'
import java.util.Arrays;
import java.util.Random;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;

public class Plans {
    record Model(int[] lowers, int[] uppers, int[] costs, int[] gpus, int least, int most) {
        Optimisation.Result solve() {
            var model = new ExpressionsBasedModel();
            var row = model.addExpression("gpus").lower(least).upper(most);
            for (int kind = 0; kind < costs.length; kind++) {
                var nodes = model.addVariable("nodes" + kind).integer(true).weight(costs[kind]);
                row.set(nodes.lower(lowers[kind]).upper(uppers[kind]), gpus[kind]);
            }
            return model.minimise();
        }

        int cost(int[] plan) {
            return product(costs, plan);
        }

        /** The cheapest plan by enumeration, or null. */
        int[] best() {
            int[] best = null;
            int[] plan = lowers.clone();
            while (true) {
                int sum = product(gpus, plan);
                if (least <= sum && sum <= most && (best == null || cost(plan) < cost(best))) {
                    best = plan.clone();
                }
                int kind = 0;
                while (kind < plan.length && plan[kind] == uppers[kind]) {
                    plan[kind] = lowers[kind++];
                }
                if (kind == plan.length) {
                    return best;
                }
                plan[kind]++;
            }
        }
    }

    static int product(int[] left, int[] right) {
        int sum = 0;
        for (int index = 0; index < left.length; index++) {
            sum += left[index] * right[index];
        }
        return sum;
    }

    static void show(int[] lowers, int[] uppers, int[] costs, int[] gpus, int least, int most) {
        var model = new Model(lowers, uppers, costs, gpus, least, most);
        System.out.println("GPUs " + least + " to " + most + ": ojAlgo " + model.solve().getState() + ", best plan "
                + Arrays.toString(model.best()) + " with cost " + model.cost(model.best()));
    }

    static int[] draw(Random source, int size, int least, int most) {
        return source.ints(size, least, most + 1).toArray();
    }

    static void count(int least) {
        var source = new Random(1);
        int models = 0, infeasible = 0, worse = 0;
        while (models < 2000) {
            int size = source.nextInt(3, 5);
            int[] lowers = draw(source, size, least, 2);
            int[] uppers = draw(source, size, 1, 4);
            for (int kind = 0; kind < size; kind++) {
                uppers[kind] += lowers[kind];
            }
            int side = source.nextInt(1, 20);
            var model = new Model(lowers, uppers, draw(source, size, 0, 8), draw(source, size, least, 8), side, side);
            int[] best = model.best();
            if (best == null) {
                continue;
            }
            models++;
            var result = model.solve();
            if (!result.getState().isFeasible()) {
                infeasible++;
            } else if (Math.abs(result.getValue() - model.cost(best)) > 1e-6) {
                worse++;
            }
        }
        System.out.println("from " + least + ": INFEASIBLE " + infeasible + ", worse " + worse + " of " + models);
    }

    public static void main(String[] arguments) {
        show(new int[] {1, 1, 0}, new int[] {4, 3, 2}, new int[] {2, 3, 8}, new int[] {3, 2, 6}, 15, 15);
        show(new int[] {0, 1, 1, 0}, new int[] {2, 2, 2, 3}, new int[] {0, 2, 4, 7}, new int[] {6, 5, 3, 2}, 18, 18);
        show(new int[] {0, 2, 2}, new int[] {4, 3, 4}, new int[] {1, 2, 7}, new int[] {8, 1, 5}, 13, 14);
        count(0);
        count(-4);
    }
}
PROGRAM
cat >"$folder/expected" <<'EXPECTED'
ojalgo 57.0.0
GPUs 15 to 15: ojAlgo OPTIMAL, best plan [3, 3, 0] with cost 15
GPUs 18 to 18: ojAlgo INFEASIBLE, best plan [0, 2, 2, 1] with cost 19
GPUs 13 to 14: ojAlgo INFEASIBLE, best plan [0, 3, 2] with cost 20
ojalgo 57.1.0
GPUs 15 to 15: ojAlgo INFEASIBLE, best plan [3, 3, 0] with cost 15
GPUs 18 to 18: ojAlgo INFEASIBLE, best plan [0, 2, 2, 1] with cost 19
GPUs 13 to 14: ojAlgo INFEASIBLE, best plan [0, 3, 2] with cost 20
EXPECTED
for version in 57.0.0 57.1.0; do
  echo "ojalgo $version"
  java -cp "$folder/jars/ojalgo-$version.jar" "$folder/Plans.java"
done | tee "$folder/output"
grep -v "^from" "$folder/output" | diff - "$folder/expected"
if grep "INFEASIBLE 0," "$folder/output"; then exit 1; fi
