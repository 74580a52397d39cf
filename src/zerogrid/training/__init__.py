"""Learning: the loop champion -> self-play -> buffer -> learner -> candidate -> gate -> champion, and all around it.

    config, options     what may be chosen: frozen dataclasses <-> TOML <-> the command line
    parts, buffer       what the loop asks of the engine room
    disk, lock, store   files that survive any death; one process a run; checkpoints
    loop, stages        the loop; each stage a small piece; events tell the listeners
    gates, curriculum, league, schedule, resigning      who is promoted, what is played, how fast is learned
    plan, diagnosis, report                             before, during and after
"""
