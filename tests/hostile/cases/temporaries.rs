//! Temporaries of the value by which a choice of tensors is made: Rust drops them at the end of the `let`.

//@ value
mod a_guard_of_a_match {
    use std::sync::Mutex;

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], m: &Mutex<u32>) -> u32 {
        let t = match *m.lock().unwrap() {
            0 => v,
            _ => v[[1..]],
        };
        u32::from(m.try_lock().is_ok()) * 100 + t[[0]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], &Mutex::new(3)) + kernel(&[1, 2, 3, 4], &Mutex::new(0))
    }

    pub fn want() -> u32 {
        102 + 101
    }
}

//@ value
mod a_guard_of_an_if_let {
    use std::cell::RefCell;

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], c: &RefCell<Option<usize>>) -> u32 {
        let t = if let Some(n) = c.borrow_mut().take() { v[[n..]] } else { v };
        *c.borrow_mut() = Some(2);
        t[[0]]
    }

    pub fn run() -> u32 {
        let c = RefCell::new(None);
        let first = kernel(&[1, 2, 3, 4], &c);
        10 * first + kernel(&[1, 2, 3, 4], &c)
    }

    pub fn want() -> u32 {
        13
    }
}

//@ value
mod the_order_of_drops {
    use std::cell::RefCell;

    struct Logged<'a>(&'a RefCell<Vec<u32>>, u32);

    impl Logged<'_> {
        fn kind(&self) -> u32 {
            self.1
        }
    }

    impl Drop for Logged<'_> {
        fn drop(&mut self) {
            self.0.borrow_mut().push(self.1);
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], log: &RefCell<Vec<u32>>) -> u32 {
        let t = match Logged(log, 1).kind() {
            0 => v,
            1 if v[[0]] == 1 => v[[2..]],
            _ => return 7,
        };
        log.borrow_mut().push(2);
        t[[0]]
    }

    pub fn run() -> u32 {
        let log = RefCell::new(Vec::new());
        let first = kernel(&[1, 2, 3, 4], &log);
        log.take().into_iter().fold(first, |sum, n| 10 * sum + n)
    }

    pub fn want() -> u32 {
        312
    }
}

//@ value
mod names_of_three_arms {
    enum Kind {
        From(usize),
        Row(usize, usize),
        Whole,
    }

    impl Kind {
        fn get(&self) -> &Kind {
            self
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], kind: &Kind) -> u32 {
        let t = match kind.get() {
            Kind::From(n) => v[[*n..]],
            Kind::Row(a, b) => v[[a + b..]],
            Kind::Whole => v,
        };
        t[[0]]
    }

    pub fn run() -> u32 {
        let v = [1, 2, 3, 4];
        100 * kernel(&v, &Kind::From(2)) + 10 * kernel(&v, &Kind::Row(1, 2)) + kernel(&v, &Kind::Whole)
    }

    pub fn want() -> u32 {
        341
    }
}

//@ value | reject
mod a_choice_inside_of_one {
    use std::sync::Mutex;

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], m: &Mutex<u32>) -> u32 {
        let t = match *m.lock().unwrap() {
            0 => {
                if m.try_lock().is_ok() {
                    v
                } else {
                    v[[1..]]
                }
            }
            _ => v[[2..]],
        };
        t[[0]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], &Mutex::new(0))
    }

    pub fn want() -> u32 {
        2
    }
}
